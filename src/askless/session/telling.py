"""Taking an answer: durable, counted once, and followed by the next question in the same commit.

Imported by `askless.session.session` alone; tested in tests/session/test_session.py and
tests/session/test_keys.py.
"""

from __future__ import annotations

from askless.core.events import Answered, Audited
from askless.core.question import Answer, Question
from askless.doors import of_kind
from askless.errors import Refused
from askless.history.projections import TellResult
from askless.session.current_probs import ProbsInUse
from askless.session.log import Log
from askless.session.question_queue import QuestionQueue
from askless.session.validation import check_answer, check_asked, check_seconds, check_unstored


class Teller:
    """Takes answers.

    Parameters
    ----------
    log
        What has happened, and where it is stored.
    probs
        Is told of every answer.
    queue
        Knows what was asked, and what comes next.
    """

    def __init__(self, log: Log, probs: ProbsInUse, queue: QuestionQueue) -> None:
        self._log, self._probs, self._queue = log, probs, queue

    def tell(
        self,
        question_id: int | None,
        answer: Answer,
        key: str,
        annotator: str | None,
        tab: str,
        seconds: float | None,
        then: Question | None,
    ) -> TellResult:
        """See `Session.tell`."""
        if not isinstance(key, str):
            raise Refused(f"An answer needs a key, so that it counts once; got {key!r:.80}.")
        if then is not None:
            of_kind("What is shown next", then, Question, "a Question")
        history, events = self._log.history, []
        if question_id is None:
            number = self._log.next_number
            asked = check_unstored(history, answer, key, annotator, tab, number)
            if asked.id == number:
                asking = self._queue.asking(asked.question, tab)
                events.append(self._log.event(asking, asked.annotator))
        else:
            asked = check_asked(history, question_id, annotator)
        kind = Audited if asked.question.purpose == "audit" else Answered
        content = kind(asked.id, answer, check_seconds(seconds))
        if self._log.repeats(key, *content.requests(asked.annotator)):
            return TellResult(history.keys.event_of(key), 0)
        check_answer(history, asked, answer)
        events.append(self._log.event(content, asked.annotator, key))
        following = self._queue.asking_next(asked, answer, then, len(events) - 1)
        if following is not None:
            events.append(self._log.event(following, asked.annotator))
        settled, disputes = history.state.n_settled, len(history.disputes)
        last = self._log.commit(*events)
        self._queue.release(asked)
        if following is not None:
            self._queue.lease(last)
        self._probs.teach()
        clash = history.disputes[-1] if len(history.disputes) > disputes else None
        return TellResult(history.keys.event_of(key), history.state.n_settled - settled, clash)
