"""The script of the widget: the page's own files, all of them that it needs and no other."""

from __future__ import annotations

import json
import re

from askless.labelling.widget_module import ENTRY, modules_from, widget_module
from askless.web.app import STATIC

_IMPORT = re.compile(r'^import [^"]* from "(\.[^"]+)";$', re.MULTILINE)


def test_the_script_carries_every_module_as_it_is_in_the_page() -> None:
    carried = json.loads(widget_module().partition("\n")[0].removeprefix("const SOURCES = ")[:-1])
    assert carried == modules_from(ENTRY)
    for path, source in carried.items():
        assert source == (STATIC / path).read_text()
    assert {"js/asking/grid.js", "js/asking/flow.js", "js/views/label.js"} <= set(carried)
    assert not {"js/main.js", "js/router.js", "js/views/gallery.js"} & set(carried)


def test_no_two_modules_import_each_other_since_a_loader_of_text_could_not_follow() -> None:
    sources = modules_from(ENTRY)
    done: set[str] = set()

    def visit(path: str, above: tuple[str, ...]) -> None:
        assert path not in above, " imports ".join([*above, path])
        if path not in done:
            for name in _IMPORT.findall(sources[path]):
                visit(str((STATIC / path).parent.joinpath(name).resolve().relative_to(STATIC)),
                      (*above, path))  # fmt: skip
            done.add(path)

    visit(ENTRY, ())
    assert done == set(sources)


def test_every_import_is_written_so_that_the_loader_finds_it() -> None:
    for path, source in modules_from(ENTRY).items():
        lines = [
            line for line in source.splitlines() if re.match(r"\s*(import|export .* from)\b", line)
        ]
        assert lines == [line for line in lines if _IMPORT.match(line)], path
        assert "import(" not in source
