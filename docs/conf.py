"""How Sphinx builds these pages. Nothing in them is fetched from anywhere else when read."""

import importlib
import pkgutil

import fastapi  # noqa: F401  # now: autodoc imports as if type-checking, where its models break
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

import askless

project = "askless"
author = "The askless authors"
copyright = "2026, The askless authors"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
nitpicky = False

html_theme = "furo"
html_title = "askless"
html_show_sourcelink = False
html_math_renderer = "mathml"

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = False
napoleon_use_rtype = False


def _inline_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block_math(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def _keep_layout(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Show an indented part or a table in a module docstring just as it is written."""
    if what != "module":
        return
    as_written = list(lines)
    lines.clear()
    inside = False
    for line in as_written:
        shown = f"    {line}" if line.startswith("|") else line
        indented = shown.startswith("    ")
        if indented and not inside and not _opens_literal(lines):
            lines += ["", "::", ""]
        if inside and line.strip() and not indented:
            lines.append("")
        if line.strip():
            inside = indented
        lines.append(shown)


def _opens_literal(lines: list[str]) -> bool:
    """Whether the last paragraph already announces a literal block."""
    said = [line for line in lines if line.strip()]
    return bool(said) and said[-1].rstrip().endswith("::")


def _list_rooms(app: Sphinx, page: str, source: list[str]) -> None:
    """Put every public module, room by room, in the place of "% every room"."""
    if page == "reference":
        rooms = [room.name for room in pkgutil.iter_modules(askless.__path__)]
        listed = "\n".join(_room(name) for name in rooms if name not in ("__main__", "cli"))
        source[0] = source[0].replace("% every room", listed)


def _room(name: str) -> str:
    room = f"askless.{name}"
    folder = getattr(importlib.import_module(room), "__path__", ())
    inside = [module.name for module in pkgutil.walk_packages(folder, prefix=f"{room}.")]
    public = [room, *(module for module in inside if "._" not in module)]
    lines = [f".. automodule:: {module}" for module in public]
    return "\n".join([f"## {name.capitalize()}", "", "```{eval-rst}", *lines, "```", ""])


def setup(app: Sphinx) -> None:
    """Formulas need no script from elsewhere, docstrings keep their layout, no module is missed."""
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    app.connect("autodoc-process-docstring", _keep_layout)
    app.connect("source-read", _list_rooms)
