"""From the first minute to *Enough*, on pictures and on texts, on a telephone and at a desk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from askless.app.opening import open_service, session_folder
from askless.app.terms import Terms
from askless.certificates.policy import Freeze
from askless.core.promise import Promise
from tests.browser.labels import NAMES, SURE_COLUMNS, Pool, exported, go
from tests.browser.opening import profile, take_four_seconds
from tests.browser.person import By, Person
from tests.browser.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WINDOWS = {"telephone": (390, 844), "desk": (1280, 800)}
TEXTS = 260
TEXT_COLUMNS = ("--text", "text", "--prob", "prob")
OUT_OF_SIGHT = """() => [...document.querySelectorAll("main *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (box.left < -1 || box.right > innerWidth + 1);
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture
def likely_pictures(garments: Pool, tmp_path: Path) -> Pool:
    """All pictures, with probabilities of which one in forty is on the wrong side."""
    folder, truth = garments
    shutil.copytree(folder, tmp_path / "garments")
    named = {f"garments/{name}": label for name, label in truth.items()}
    return _table(tmp_path / "likely.csv", "picture", named)


@pytest.fixture
def likely_texts(tmp_path: Path) -> Pool:
    """Short texts, with such probabilities."""
    things = ("boots", "sandals", "coat", "shirt")
    named = {
        f"A pair of {things[at % 4]} number {at}, worn twice": at % 4 < 2 for at in range(TEXTS)
    }
    return _table(tmp_path / "texts.csv", "text", named)


def _table(path: Path, column: str, truth: dict[str, bool]) -> Pool:
    rng = np.random.default_rng(3)
    wrong = set(rng.permutation(len(truth))[: len(truth) // 40].tolist())
    rows = [
        f'"{name}",{0.97 if label == (at not in wrong) else 0.03}'
        for at, (name, label) in enumerate(truth.items())
    ]
    path.write_text("\n".join([f"{column},prob", *rows]) + "\n")
    return path, truth


@pytest.fixture
def sit(
    serve: Callable[..., Server], browser: Browser
) -> Iterator[Callable[[Pool, str, By], Person]]:
    """A person before a window of that size, in the first minute."""
    open_now = []

    def start(pool: Pool, window: str, by: By) -> Person:
        source, truth = pool
        texts = source.name == "texts.csv"
        server = serve("label", source, *(TEXT_COLUMNS if texts else SURE_COLUMNS), *NAMES)
        width, height = WINDOWS[window]
        opened = profile(browser, viewport={"width": width, "height": height})
        context = opened.__enter__()
        open_now.append(opened)
        take_four_seconds(context)
        page = context.new_page()
        page.goto(server.link)
        by_name = truth
        if texts:  # on the page a text is called by the number of its row
            by_name = {f"{row}": label for row, label in enumerate(truth.values(), 1)}
        return Person(page, by_name.__getitem__, by, server)

    yield start
    for opened in open_now:
        opened.__exit__(None, None, None)


def _promise(page: Page, wanted: str) -> None:
    """Choose what is good enough in the first minute."""
    page.wait_for_selector("dialog #enough")
    assert page.locator("dialog #enough").input_value() == ""  # nothing is promised unasked
    page.locator("dialog #enough").select_option(wanted)
    page.wait_for_function(  # what each choice takes has come
        "() => [...document.querySelectorAll('#enough option')].every(o => / · /.test(o.text))"
    )
    assert "95\xa0% sure" in page.locator("#enough-note").inner_text()


def _answer_until_enough(person: Person, most: int = 400) -> None:
    for _ in range(most):
        if person.page.locator("#enough-title").is_visible():
            return
        seen = person.look()
        if seen is not None:
            person.answer(seen)
            person.wait_until_saved()  # whether it is enough is told with the reply
    raise AssertionError(f"{most} answers were not enough.")


@pytest.mark.parametrize("kind", ["pictures", "texts"])
@pytest.mark.parametrize("window", WINDOWS)
def test_from_the_first_minute_to_enough_and_on(
    kind: str,
    window: str,
    sit: Callable[[Pool, str, By], Person],
    likely_pictures: Pool,
    likely_texts: Pool,
    shoot: Callable[[Page, str], None],
) -> None:
    pool = likely_pictures if kind == "pictures" else likely_texts
    person = sit(pool, window, "pointer" if window == "telephone" else "keys")
    page = person.page
    _promise(page, "5%")
    shoot(page, f"enough-first-minute-{kind}-{window}")
    page.locator("dialog input#positive").focus()
    person.confirm_definition()
    _answer_until_enough(person)
    assert page.evaluate("() => document.activeElement.id") == "enough-title"
    says = page.locator("#promised").inner_text().replace("\xa0", " ")
    assert says.startswith("You looked at ")
    assert "95 % sure, by your own judgement." in says
    assert page.evaluate(OUT_OF_SIGHT) == []
    shoot(page, f"enough-{kind}-{window}")
    _go_on(person)
    _progress_says_so(page)
    shoot(page, f"enough-progress-{kind}-{window}")
    _export(page, list(pool[1].values()))
    shoot(page, f"enough-finish-{kind}-{window}")


def _go_on(person: Person) -> None:
    """Going on asks the next question, and nobody is asked again whether to stop."""
    page = person.page
    page.keyboard.press("y")  # no answer: nothing is asked
    assert page.locator("#enough-title").is_visible()
    page.locator("#go-on:enabled").click()
    assert person.look() is not None
    person.answer(person.question())
    person.wait_until_saved()
    assert person.look() is not None
    assert page.locator("#bound").inner_text().startswith("enough: at most ")
    page.reload()
    assert person.look() is not None
    assert page.locator("#enough-title").count() == 0


def _progress_says_so(page: Page) -> None:
    go(page, "progress")
    page.wait_for_selector("#if-you-stopped canvas")
    assert page.locator("#if-you-stopped-says").inner_text().startswith("Enough. ")
    told = page.locator("#if-you-stopped canvas").get_attribute("aria-label")
    page.wait_for_function(
        "() => /^At most .* wrong after/.test("
        "document.querySelector('#if-you-stopped canvas').getAttribute('aria-label'))"
    )
    assert told is not None
    page.locator("#if-you-stopped summary").press("Enter")
    assert page.locator("#if-you-stopped .meaning li").first.is_visible()


def _export(page: Page, truth: list[bool]) -> None:
    """Accepted labels are in the file only if that is asked for, and not more wrong than said."""
    certain = list(exported(page).values())
    assert len(certain) == len(truth)
    assert {row["how"] for row in certain if not row["label"]} == {"accepted"}
    page.locator("#accepted-yes").check()
    rows = list(exported(page).values())
    assert [row["certain"] for row in rows] == [row["certain"] for row in certain]
    accepted = [at for at, row in enumerate(rows) if row["how"] == "accepted"]
    assert accepted
    assert all(rows[at]["certain"] == "false" for at in accepted)
    wrong = [at for at, row in enumerate(rows) if row["label"] != NAMES[1 if truth[at] else 3]]
    assert set(wrong) <= set(accepted)
    assert len(wrong) <= 0.05 * len(truth)


def test_what_is_good_enough_is_changed_in_the_settings(
    sit: Callable[[Pool, str, By], Person], likely_texts: Pool
) -> None:
    person = sit(likely_texts, "desk", "keys")
    page = person.page
    page.wait_for_selector("dialog #enough")
    person.confirm_definition()
    seen = person.question()
    assert page.locator("#bound").count() == 0  # nothing was promised
    go(page, "settings")
    page.wait_for_selector("input[name=enough]")
    assert page.locator("input[name=enough]:checked").get_attribute("value") == ""
    page.get_by_label("at most 2 % of all labels wrong").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => fetch('/api/enough').then(r => r.json()).then(o => o.promise === '2%')"
    )
    go(page, "label")
    page.wait_for_selector("#bound")
    assert person.question().names == seen.names  # the question stays
    go(page, "settings")
    page.get_by_label("every label, from your answers").check()
    page.locator("form:has(input[name=enough]) button[type=submit]").click()
    page.wait_for_function(
        "() => fetch('/api/enough').then(r => r.json()).then(o => o.promise === null)"
    )


def test_a_bare_no_to_a_marking_check_asks_for_marks(
    sit: Callable[[Pool, str, By], Person], likely_texts: Pool
) -> None:
    _draw_a_marking_check(likely_texts)
    person = sit(likely_texts, "desk", "keys")
    page = person.page
    person.confirm_definition()
    seen = person.question()
    assert len(person.wrong(seen)) == len(seen.names) > 1
    assert page.locator(".chip", has_text="mark the wrong ones").count() == 0
    page.keyboard.press("n")
    page.wait_for_selector(".chip:has-text('mark the wrong ones')")
    again = person.question()
    assert set(again.names) <= set(seen.names)  # fewer, where they fit better
    assert page.locator("#answer-no").is_disabled()
    page.keyboard.press("n")  # says nothing more
    assert person.question().shown == again.shown
    person.answer(again)
    person.wait_until_saved()
    assert person.look() is not None
    assert page.locator(".chip", has_text="mark the wrong ones").count() == 0


def _draw_a_marking_check(pool: Pool) -> None:
    """A session whose next question is a check that is answered by marking, of wrong guesses."""
    source, truth = pool
    labels = np.array(list(truth.values()))
    terms = Terms(NAMES[1], NAMES[3], "Worn on the feet.")  # a new one would void the claim
    service = open_service(
        source, session_folder(source), {"text": "text", "prob": "prob"}, terms, learn=False
    )
    session, me = service.session, service.annotator
    session.freeze(Promise("count", 5), Freeze(~labels, (1.0, 1.0), form="pointed", strata=True))
    for number in range(100):  # what is drawn for the test split comes first
        asked = session.ask(me, "t")
        assert asked is not None
        if asked.question.purpose == "check":
            break
        right = all(labels[list(asked.question.items)] == asked.question.guess)
        answer = asked.question.yes() if right else asked.question.no()
        session.tell(asked.id, answer, f"before-{number}")
    service.close()
