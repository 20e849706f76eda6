"""Questions fitted to the person: their pace, their way of answering, their attention.

A person takes a + b * (items shown) + c * (items pointed at) + d * (hundreds of characters)
seconds an answer. The four are fitted to the answers so far (`askless.session.pace`) and the
planner is told to save seconds at that pace, for the channel the person uses: pointed answers once
they point. So group size follows by itself. A planner knows one b for all items, so a question is
cut to the first items whose looking and reading outweighs the asking (`AdaptivePlanning.trim`):
24 short texts that went well are no reason to offer 24 long ones. All within a cap that is

- four items until the model has predicted forty labels before they were known, and was right
  about as often as it said it would be; then more, as it goes on to be;
- no more than fit the window (`askless.app.capacity`).

Once an audit has shown that the person overlooks things, the planner weighs what a wrong label
costs against the seconds that a larger group saves (`askless.core.misses`), so that doubtful items
come in smaller groups.

The page is told that the model is learning until it once has earned larger questions and predicts
better than the share of positives alone would: a model may be calibrated and still know nothing.
The method of the session changes only when something has changed by enough to matter.
Tested in tests/app/test_adaptive_planning.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from askless.assemble import Method, OpenSession
from askless.core.events import Asked
from askless.core.misses import misses_to_plan_with
from askless.core.question import GRID, Answer, Question
from askless.history.history import History
from askless.planners.grid import ENOUGH
from askless.seams import Channel
from askless.session.pace import Pace, no_text, pace_of
from askless.session.session import Session

SMALL: Final = 4
"""While the model is learning."""
_TRUST: Final = ((40, 0.12, 8), (80, 0.08, 16), (160, 0.05, 1000))
"""After so many labels predicted, if its certainty was above its accuracy by no more than this, so
many items a question."""
_SKILL: Final = 0.05
"""By so much its squared error must be below that of the share of positives."""
_LATELY: Final = 200
_MATTERS: Final = 0.2
_NO_OPINION: Final = 0.5


class AdaptivePlanning:
    """Watches how it goes and has the session plan accordingly.

    Parameters
    ----------
    annotator
        Who answers.
    most
        The most items a question may show; None to choose.
    wrong_label_s
        What a wrong label costs, in seconds; None for what the session has been planned with.
    informed
        Whether the source gives probabilities.
    """

    def __init__(
        self,
        annotator: str,
        most: int | None = None,
        *,
        wrong_label_s: float | None = None,
        informed: bool = False,
    ) -> None:
        self.annotator = annotator
        self._wrong_label_s = wrong_label_s
        self._informed = informed
        self._taught = False
        self.most = most
        self.fit: int | None = None
        """The most items worth planning for the window; None while that is not known."""
        self._characters: Callable[[int], int] = no_text
        self._typical = 0.0
        self._pace = Pace()
        self._trusted = SMALL
        self.learning = True
        """Whether the model still knows too little to be of use."""
        self._probs_shown: dict[int, tuple[float, ...]] = {}
        self._predicted: deque[tuple[float, bool]] = deque(maxlen=_LATELY)

    def read(self, characters: Callable[[int], int], sample: Sequence[int]) -> None:
        """Take into account how long the texts are.

        Parameters
        ----------
        characters
            How many characters an item has.
        sample
            Items drawn at random: what is usual.
        """
        self._characters = characters
        # The planner plans for the shorter texts, since questions with long ones are cut.
        self._typical = float(np.quantile([characters(item) for item in sample], 0.25))

    # --- what happened ------------------------------------------------------------------------

    def watch(self, opened: OpenSession) -> None:
        """Watch this session from now on; what was answered before counts too."""
        session = opened.session
        self._taught = session.history.checkpoint > 0
        self._probs_shown.clear()
        self._predicted.clear()
        self.learning = True
        for number, given in session.history.answers.items():
            chance = session.history.asked[given.question_id].chance
            if chance is not None and chance != _NO_OPINION and session.history.stands(number):
                self._predicted.extend(_read_back(given.answer, chance))
                if self.learning:
                    self._judge()
        self._judge()
        self._pace = pace_of(session.history, self.annotator, self._characters)
        self.follow(opened)

    def note_question(self, asked: Asked, session: Session) -> None:
        """Remember the probabilities when this was asked, if any item had one."""
        if session.history.checkpoint > 0 and not self._taught:
            # The first model: earlier probabilities say nothing about it.
            self._taught = self.learning = True
            self._predicted.clear()
            self._probs_shown.clear()
            self._judge()
        if asked.question.purpose != "audit" and asked.id not in self._probs_shown:
            probs = session.probs.values[list(asked.question.items)]
            if np.any(probs != _NO_OPINION):
                self._probs_shown[asked.id] = tuple(probs.tolist())
            if len(self._probs_shown) > _LATELY:
                del self._probs_shown[next(iter(self._probs_shown))]

    def note_answer(self, session: Session, number: int) -> None:
        """Compare the probabilities with the labels that an answer has settled."""
        given = session.history.answers.get(number)
        probs = None if given is None else self._probs_shown.pop(given.question_id, None)
        if given is None or probs is None:
            return
        for item, prob in zip(given.answer.question.items, probs, strict=True):
            label = session.state.label(item)
            if label is not None:
                self._predicted.append((prob, label == 1))
        self._judge()

    # --- what follows -------------------------------------------------------------------------

    @property
    def labels_predicted(self) -> int:
        """How many labels, of the latest, the model predicted before they were settled."""
        return len(self._predicted)

    @property
    def accuracy(self) -> float | None:
        """The share of them it had right; None before the first."""
        if not self._predicted:
            return None
        return float(np.mean([(prob >= 0.5) == label for prob, label in self._predicted]))

    @property
    def commoner_share(self) -> float | None:
        """How many of them have the commoner label: what guessing that would have had right."""
        if not self._predicted:
            return None
        share = float(np.mean([label for _, label in self._predicted]))
        return max(share, 1 - share)

    @property
    def calibration_error(self) -> float | None:
        """How far its certainty was from that, over ten bins; None before the first."""
        if not self._predicted:
            return None
        probs, labels = np.array(self._predicted, float).T
        bins = np.minimum((probs * 10).astype(int), 9)
        gaps = [abs(float(np.sum(probs[bins == b] - labels[bins == b]))) for b in np.unique(bins)]
        return sum(gaps) / len(probs)

    def _judge(self) -> None:
        """How far the model is to be trusted, and whether it is of use yet."""
        self._trusted, useful = SMALL, False
        accuracy = self.accuracy
        if accuracy is not None:
            probs, labels = np.array(self._predicted, float).T
            certainty = float(np.mean(np.maximum(probs, 1 - probs)))
            for predicted, overconfident, size in _TRUST:
                if len(probs) >= predicted and certainty - accuracy <= overconfident:
                    self._trusted = size
            useful = bool(np.mean((probs - labels) ** 2) < (1 - _SKILL) * np.var(labels))
        has_model = self._taught or self._informed
        if self._trusted > SMALL and has_model and useful:
            self.learning = False  # for good: that the last items are hard is another matter

    def follow(self, opened: OpenSession) -> None:
        """Plan for what is known about the person now, if it has changed by enough."""
        history, method = opened.session.history, opened.method
        pace = pace_of(history, self.annotator, self._characters)
        price_s = method.wrong_label_s if self._wrong_label_s is None else self._wrong_label_s
        wanted = method.replace(
            planner="auto",
            planner_options={},
            max_n=self._cap(),
            channel=channel_of(history, self.annotator),
            objective="seconds",
            same_guess=True,
            seconds=pace.cost_at(self._typical),
            wrong_label_s=price_s,
            misses=misses_to_plan_with(history.audits.misses(self.annotator), method.misses),
        )
        if _differs(wanted, method):
            self._pace = pace
            opened.plan(wanted)

    def trim(self, question: Question) -> Question:
        """The first items, until looking at them takes so long that asking hardly counts.

        The rule of `askless.planners.grid`, with the seconds that each text takes to read. A check
        is never cut: leaving out what takes long would not be random.
        """
        if question.purpose == "check":
            return question
        taken_s = np.cumsum([self._pace.item_s(self._characters(one)) for one in question.items])
        enough = 1 + int(np.searchsorted(taken_s, ENOUGH * self._pace.cost.question_s))
        if enough >= len(question):
            return question
        return Question(question.items[:enough], question.guess[:enough], question.purpose)

    def _cap(self) -> int:
        most = min(GRID if self.most is None else self.most, self._trusted)
        return most if self.fit is None else min(most, self.fit)


def _read_back(answer: Answer, chance: float) -> Iterator[tuple[float, bool]]:
    """The probability of each item and the label it got, as far as the history tells.

    It knows the chance of the whole question alone, so that is shared out evenly. A plain no
    to several items does not say which.
    """
    if answer.kind == "no" and len(answer) > 1:
        return
    right = chance ** (1 / len(answer))
    for item, guess in zip(answer.question.items, answer.question.guess, strict=True):
        wrong = answer.kind == "no" or item in answer.wrong
        yield (right if guess else 1 - right), guess != wrong


def channel_of(history: History, annotator: str) -> Channel:
    """How the person lately said that something is wrong: by pointing, or not."""
    pointed = plain = 0
    for given in reversed(history.answers.values()):
        if given.annotator != annotator or not history.stands(given.number):
            continue
        if len(given.answer) > 1 and given.corrects is None:
            pointed += given.answer.kind == "pointed"
            plain += given.answer.kind == "no"
        if pointed + plain >= 10:
            break
    return "pointed" if pointed > plain else "yes-no"


def _differs(wanted: Method, plan: Method) -> bool:
    if wanted != plan.replace(seconds=wanted.seconds):
        return True
    changes = [
        abs(new - old) / max(old, 0.05)
        for new, old in zip(wanted.seconds, plan.seconds, strict=True)
    ]
    return max(changes) > _MATTERS
