"""What is promised about the labels, in sentences.

    said = say(standing, names, given=0)
    said.now        # "If you stopped now: at most 3.1 % of all labels wrong, 95 % sure (186 ...)."
    said.meaning    # what that means, for those who want to know exactly

People who know no statistics read them, and statisticians: each sentence says what was proved and
no more. A share that is a limit is never rounded in its favour. The sentences for the page are all
here; `Standing` has one of its own for terminals. Pure functions. Imported by `app` and `web`;
tested in tests/app/test_promised.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from askless.app.names import Names
from askless.certificates.standing import Standing
from askless.core.promise import Promise, share_text


@dataclass(frozen=True, slots=True)
class Said:
    """What is promised now.

    Parameters
    ----------
    now
        What would hold if one stopped now; once the promise holds, that it does.
    short
        The same in a few words, for the line below a question.
    share
        The bound as a share: the most that is wrong, or for recall the least that is found. None
        while there is none.
    meaning
        What `now` means exactly, a sentence each; none while there is no bound.
    """

    now: str
    short: str
    share: float | None
    meaning: tuple[str, ...]


def say(standing: Standing, names: Names, given: int = 0, judges: Sequence[str] = ("you",)) -> Said:
    """Where a session stands, in words.

    Parameters
    ----------
    standing
        As the session says.
    names
        What the labels are called.
    given
        How many labels came with the source: nobody looked at these.
    judges
        Who answered; ``you`` for whoever reads this.
    """
    if standing.claim is None and not standing.enough:
        return Said(
            "If you stopped now, nothing could be said yet about the labels that you have not "
            "looked at: the model has to learn first. Checks of its labels come by themselves.",
            "no bound yet: the model learns first",
            None,
            (),
        )
    if standing.reopened:
        which = "1 item is" if standing.reopened == 1 else f"{standing.reopened:,} items are"
        return Said(
            f"If you stopped now, nothing could be said: {which} open again and must be asked "
            "first.",
            "no bound now: some items are open again",
            None,
            (),
        )
    checks = standing.checks
    if standing.at_most is None or not (standing.enough or checks.yes + checks.no + checks.pointed):
        return Said(
            "If you stopped now, nothing could be said yet: the first checks of the model's labels "
            "are being asked.",
            "no bound yet: the first checks are being asked",
            None,
            (),
        )
    if standing.promise.kind == "recall":
        return _say_recall(standing, names, given, judges)
    return _say_wrong(standing, given, judges)


def wanted(promise: Promise, names: Names) -> str:
    """What is promised, as one says it: "at most 1 % of all labels wrong"."""
    if promise.kind == "recall":
        many = names.many(True)
        return f"at least {share_text(promise.value, up=False)} of all {many} found"
    if promise.kind == "count":
        return f"at most {int(promise.value):,} labels wrong"
    whole = "all labels" if promise.kind == "all" else "the labels that are the model's"
    return f"at most {share_text(promise.value, up=True)} of {whole} wrong"


def slips_included(certificate: Mapping[str, Any]) -> str:
    """What is left if what people overlook is counted too; empty where that was not measured.

    Parameters
    ----------
    certificate
        As `askless.certificates.certificate.Certificate.to_json` has it.
    """
    slips = certificate["overlooked"]
    if slips is None:
        return ""
    missed, planted, left = (slips[name] for name in ("missed", "planted", "left_at_most"))
    were = "none was" if not missed else "1 was" if missed == 1 else f"{missed:,} were"
    seen = f"of {planted:,} errors hidden in audits {were} overlooked"
    return (
        f"Counting what may be overlooked ({seen}), at most {left:,} of the "
        f"{certificate['accepted']:,} are wrong."
    )


def _say_wrong(standing: Standing, given: int, judges: Sequence[str]) -> Said:
    assert standing.at_most is not None
    at_most, rest = standing.at_most, standing.accepted
    labels = standing.settled + rest
    share = Fraction(at_most, max(1, labels))
    bound, sure = f"at most {share_text(share, up=True)}", _sure(standing.promise)
    if not standing.enough:
        now = (
            f"If you stopped now: {bound} of all labels wrong, {sure} ({at_most:,} of {labels:,})."
        )
        return Said(now, f"{bound} wrong if you stopped now", float(share), _meaning(standing))
    if not rest:
        return _all_settled(standing, given)
    wrong = "None of the" if not at_most else f"At most {at_most:,} of the"
    are = "is" if at_most <= 1 else "are"
    if at_most:
        wrong = f"{wrong} other {rest:,} labels {are} wrong ({share_text(share, up=True)} of all)"
    else:
        wrong = f"{wrong} other {rest:,} labels is wrong"
    now = f"Enough. {_looked(standing, given)} {wrong}, {sure}, by {_judgement(judges)}."
    return Said(now, f"enough: {bound} wrong", float(share), _meaning(standing))


def _say_recall(standing: Standing, names: Names, given: int, judges: Sequence[str]) -> Said:
    least = standing.recall_at_least
    many, sure = names.many(True), _sure(standing.promise)
    if least is None:  # the claim was made for another promise
        now = f"If you stopped now, nothing could be said about how many of all {many} are found."
        return Said(now, "no bound yet", None, ())
    bound = f"at least {share_text(least, up=False)} of all {many}"
    if not standing.enough:
        now = f"If you stopped now: {bound} found, {sure}."
        return Said(now, f"{bound} found if you stopped now", least, _meaning(standing))
    if not standing.accepted:
        return _all_settled(standing, given)
    now = (
        f"Enough. {_looked(standing, given)} {_capital(bound)} "
        f"have that label now, the model's labels of the other {standing.accepted:,} included, "
        f"{sure}, by {_judgement(judges)}."
    )
    return Said(now, f"enough: {bound} found", least, _meaning(standing))


def _all_settled(standing: Standing, given: int) -> Said:
    now = f"Enough. {_looked(standing, given)} No label is left to the model."
    return Said(now, "enough: every label follows from answers", None, ())


def _looked(standing: Standing, given: int) -> str:
    looked = standing.settled - given
    came = f"; {given:,} labels came with the source" if given else ""
    return f"You looked at {looked:,} of {standing.items:,}{came}."


def _sure(promise: Promise) -> str:
    return f"{100 * promise.confidence:g} % sure"


def _judgement(judges: Sequence[str]) -> str:
    if tuple(judges) == ("you",):
        return "your own judgement"
    *first, last = judges
    return f"the judgement of {', '.join(first)} and {last}" if first else f"that of {last}"


def _meaning(standing: Standing) -> tuple[str, ...]:
    asked, items = standing.checks.asked, standing.checks.items
    scope = (
        "It is about all labels together, not about any one of them: the wrong ones may all be of "
        "one kind."
    )
    if standing.promise.kind == "recall":
        right = share_text(standing.precision_at_least or 0.0, up=False)
        scope = (
            "It is about what is found, not about how many labels are wrong: other items may have "
            f"that label too. At least {right} of those that have it have it rightly."
        )
    elif standing.promise.kind == "accepted":
        scope = (
            f"{scope} What you asked for is a share of the labels that are the model's. The more "
            "items you label yourself, the fewer these are, so that some more checks may be needed "
            "then."
        )
    wrong = (
        "The labels that your answers do not settle are the model's. Wrong means: shown the item "
        "in a question like these, you would say otherwise."
    )
    sure = (
        f"{_sure(standing.promise)} means: were this session done 100 times, at most "
        f"{100 * standing.promise.alpha:g} of them, on average, would ever show an untrue bound, "
        "whenever you stop. The chance lies in which items are drawn for the checks; nothing is "
        "assumed about the model."
    )
    rests = (
        f"It rests on {items:,} items drawn at random in {asked:,} "
        f"{'check' if asked == 1 else 'checks'}; what you overlook in them is not counted."
    )
    return (wrong, sure, scope, *([rests] if asked else []))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
