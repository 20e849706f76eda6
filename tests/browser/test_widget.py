"""The widget in a real JupyterLab: the recipe, pictures, hostile texts, keys, styles, two views."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.jupyter import JupyterLab
from tests.browser.person import ROOT, By, Person

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
_TRIES = 60
RECIPE = Path(__file__).parents[2] / "docs" / "recipes" / "notebook.md"
PICTURES = """
import askless, numpy as np
from askless.pools.demo import PICTURES
with np.load(PICTURES) as stored:
    images, truth = stored["images"][:40], stored["footwear"][:40]
w = askless.widget(images, positive="footwear", probs=np.where(truth, 0.95, 0.05))
w"""
RIGHT = (
    "assert [l == 'footwear' for l in w.labels()['label']] == truth.tolist(); print('all right')"
)
HOSTILE = """
import askless
evil = ["<img src=x onerror='window.pwned=1'>", "<script>window.pwned=1</script>",
        "</div></main><style>*{display:none!important}</style>", "javascript:window.pwned=1",
        "http://x.invalid/'onmouseover='window.pwned=1", "ok", "fine"]
table = {"text": evil, "<b>column</b>": list(reversed(evil))}
w = askless.widget(table, text="text", show="<b>column</b>", positive="<i>evil</i>",
                   probs=[0.9] * 7)
w"""
LONG = """
import askless
w = askless.widget(["word " * 60_000, "short"], positive="praise", probs=[0.9, 0.9])
w"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterLab]:
    """One JupyterLab for all of them; each test has a notebook and a kernel of its own."""
    pytest.importorskip("jupyterlab", reason="tier browser: no jupyterlab")
    running = JupyterLab(tmp_path_factory.mktemp("jupyter"))
    yield running
    running.stop()


@pytest.fixture
def open_notebook(lab: JupyterLab, context: BrowserContext) -> Callable[..., Page]:
    """Open a notebook of these cells and run the first of them."""

    def start(*cells: str) -> Page:
        page = context.new_page()
        page.goto(lab.notebook(*cells))
        prompt = page.locator(".jp-Cell").first.locator(".jp-InputPrompt")
        page.wait_for_selector("#jp-main-statusbar :text('| Idle')")
        for _ in range(_TRIES):  # JupyterLab drops what is run before the kernel is connected
            prompt.click()
            page.keyboard.press("Shift+Enter")
            page.wait_for_timeout(2000)
            if prompt.inner_text() != "[ ]:":
                break
        page.wait_for_selector(".askless-cell .grid .tile")
        return page

    return start


def _sit_down(page: Page, truth: Callable[[str], bool], by: By = "keys") -> Person:
    """Somebody who has clicked into the widget."""
    page.locator(".askless-cell .sentence").click()
    return Person(page, truth, by)


def _run(page: Page, place: int) -> str:
    """Run a cell; what it shows."""
    cell = page.locator(".jp-Cell").nth(place)
    cell.locator(".jp-InputPrompt").click()
    page.keyboard.press("Shift+Enter")
    cell.locator(".jp-OutputArea-output").first.wait_for()
    return str(cell.locator(".jp-OutputArea-output").first.inner_text())


def _sources(page: Page) -> list[str]:
    """The code in the cells, as the notebook has it."""
    return list(page.locator(".jp-Cell .jp-InputArea-editor").all_inner_texts())


def _in_widget(page: Page, script: str) -> Any:
    return page.evaluate(f"() => {{ {ROOT} {script} }}")


@pytest.mark.parametrize("by", ["keys", "pointer"])
def test_the_recipe_runs_in_a_notebook_and_the_next_cell_has_the_labels(
    by: By, open_notebook: Callable[..., Page]
) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", RECIPE.read_text(), re.MULTILINE | re.DOTALL)
    parser = doctest.DocTestParser()
    cells = ["".join(one.source for one in parser.get_examples(block)) for block in blocks]
    assert len(cells) == 3
    check = (
        "right = ['praise' if 'lovely' in text else 'complaints' for text in df['review']]\n"
        "print((labelled['label'] == right).all(), labelled['certain'].all(), len(labelled))"
    )
    page = open_notebook(cells[0] + cells[1], cells[2], check)
    before = _sources(page)
    person = _sit_down(page, lambda name: int(name) % 2 == 0, by)
    person.label_everything()
    person.wait_until_saved()
    assert person.answered < 60
    assert "labels()" in page.locator(".askless-cell .screen").inner_text()
    _run(page, 1)
    assert _run(page, 2).strip() == "True True 60"
    assert _sources(page)[:3] == before  # d, z, a, b, Enter and the others never reached it


def test_pictures_are_marked_undone_and_looked_at_closely(
    open_notebook: Callable[..., Page],
) -> None:
    page = open_notebook(PICTURES, "print(truth.tolist())", RIGHT)
    truth = [word == "True" for word in re.findall(r"True|False", _run(page, 1))]
    person = _sit_down(page, lambda name: truth[int(name)])
    seen = person.answer_until_group(2)
    shown = "return [...root.querySelectorAll('.grid img')].every(i => i.naturalWidth > 0)"
    assert _in_widget(page, shown)
    page.keyboard.press("i")
    page.wait_for_selector("dialog.zoom[open] img")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    settled = person.question()
    assert settled.names == seen.names
    person.answer(settled)
    person.wait_until_saved()
    person.undo()
    page.wait_for_function(
        f"names => {{ {ROOT} const shown = [...root.querySelectorAll('.tile')].map(t => t.title);"
        "return names.every(name => shown.includes(name)); }",
        arg=list(seen.names),
    )
    person.label_everything()
    person.wait_until_saved()
    assert _run(page, 2).strip() == "all right"


def test_hostile_texts_columns_and_names_are_text(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(HOSTILE, "w.labelling.ask()", "print(len(w.labels()['label']))")
    assert "<i>evil</i>" in _in_widget(page, "return root.querySelector('#sentence').textContent")
    person = _sit_down(page, lambda name: True)
    seen_texts: set[str] = set()

    def meanwhile(seen: Any) -> Any:
        words = "return [...root.querySelectorAll('.grid .words')].map(w => w.textContent)"
        seen_texts.update(_in_widget(page, words))
        markup = "return root.querySelectorAll('.grid :is(script, style, b, i, [onerror])').length"
        assert _in_widget(page, markup) == 0
        return seen

    first = person.question()
    meanwhile(first)
    page.keyboard.press("i")
    page.wait_for_selector("dialog[open] .words")
    page.keyboard.press("Escape")
    shown = _run(page, 1)  # the question as a table, in the notebook's own markup
    assert "evil" in shown
    page.locator(".askless-cell .sentence").click()
    person.label_everything(meanwhile)
    person.wait_until_saved()
    assert _run(page, 2).strip() == "7"
    assert "<script>window.pwned=1</script>" in seen_texts
    assert page.evaluate("() => window.pwned") is None


def test_a_text_longer_than_the_cell_is_read_to_its_end_first(
    open_notebook: Callable[..., Page],
) -> None:
    page = open_notebook(LONG, "print(w.labels()['label'])")
    person = _sit_down(page, lambda name: True)
    person.label_everything()
    person.wait_until_saved()
    assert _run(page, 1).strip() == "['praise', 'praise']"


def test_what_is_scrolled_out_of_view_takes_no_answer(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook("\n".join(["#"] * 60) + PICTURES, "print(w.progress.settled)")
    person = _sit_down(page, lambda name: True)
    page.wait_for_selector("#answer-yes:not(:disabled)")
    before = person.question()
    page.mouse.wheel(0, -350)  # the pointer is over the widget
    page.wait_for_selector(".chips:has-text('Scroll until')")
    assert page.locator("#answer-yes").is_disabled()
    page.keyboard.press("y")  # nothing but this: it comes into view
    page.wait_for_selector("#answer-yes:not(:disabled)")
    assert person.question().shown == before.shown
    page.keyboard.press("y")
    person.wait_until_saved()
    assert int(_run(page, 1)) > 0


def test_styles_of_the_notebook_and_of_the_widget_do_not_meet(
    open_notebook: Callable[..., Page],
) -> None:
    loud = "from IPython.display import HTML\nHTML('<style>button {display: none !important} "
    loud += ".tile, p, h1 {font-size: 3px !important; color: red !important}</style>')"
    page = open_notebook(PICTURES, loud)
    look = "return ['#sentence', '.tools button', '.tile'].map(name => { const s = "
    look += "getComputedStyle(root.querySelector(name)); "
    look += "return [s.display, s.fontSize, s.color, s.margin]; })"
    ours = _in_widget(page, look)
    _run(page, 1)
    assert _in_widget(page, look) == ours
    sheets = "() => [...document.styleSheets].some(s => [...s.cssRules].some(r => "
    sheets += "r.cssText?.includes('--positive-soft')))"
    assert page.evaluate(sheets) is False


def test_light_and_dark_follow_the_notebook(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(PICTURES)
    ground = "return getComputedStyle(root.querySelector('.cell')).backgroundColor"
    light = _in_widget(page, ground)
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_text("Theme", exact=True).hover()
    page.get_by_text("JupyterLab Dark", exact=True).click()
    page.wait_for_function(
        f"before => {{ {ROOT} return {ground.removeprefix('return ')} !== before; }}",
        arg=light,
    )


def test_answers_given_while_a_cell_runs_are_kept_and_arrive(
    open_notebook: Callable[..., Page], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    busy = f"import pathlib, time\nwhile not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.1)"
    page = open_notebook(PICTURES, busy, "print(sum(w.progress.answers.values()))")
    person = _sit_down(page, lambda name: True)
    person.answer_until_group(2)
    before = person.answered
    page.wait_for_function(f"() => {{ {ROOT} return root.querySelector('.grid .tile'); }}")
    page.locator(".jp-Cell").nth(1).locator(".jp-InputPrompt").click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".jp-InputPrompt:has-text('[*]')")
    page.locator(".askless-cell .sentence").click()
    page.keyboard.press("y")
    gate.touch()
    person.wait_until_saved()
    assert int(_run(page, 2)) == before + 1


def test_two_places_that_show_one_widget_are_two_windows(
    open_notebook: Callable[..., Page],
) -> None:
    page = open_notebook(PICTURES, "w", "print(sum(w.progress.answers.values()))")
    first = page.locator(".askless-cell").first
    _run(page, 1)
    page.wait_for_function("() => document.querySelectorAll('.askless-cell').length === 2")
    second = page.locator(".askless-cell").nth(1)
    second.locator(".grid .tile").first.wait_for()
    for place in (second, first):
        place.locator(".sentence").click()
        place.locator("#answer-yes:not(:disabled)").wait_for()
        page.keyboard.press("y")
        place.locator("#saved-text:has-text('Saved')").wait_for()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.askless-cell')].every("
        "one => one.shadowRoot.querySelector('.left').textContent.match(/^[1-9]/))"
    )
    assert _run(page, 2).strip() == "2"
