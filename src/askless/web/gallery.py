"""The gallery: every item with its label, filtered and sorted.

It reads what is known of all items once (`askless.app.label_table`), puts those that match in
order, and keeps that order until something changes, so that another page costs that page alone.
Whoever answers waits for the reading, some milliseconds, and for nothing else.
Imported by `askless.web.routes`; tested in tests/web/test_gallery.py.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from askless.app.label_table import HOW, LabelTable, read_table
from askless.app.neighbours import Alike, Neighbours
from askless.app.service import LabellingService
from askless.app.showing import text_of
from askless.pools import OpenedPool
from askless.pools.source_rows import NO_ITEM
from askless.seams import Pool
from askless.web import replies
from askless.web.browsing import Order, page_of

_KEPT: Final = 4
"""So many orders are kept: four bytes an item each."""

LabelFilter = Literal["", "positive", "negative", "unsure"]
CertainFilter = Literal["", "yes", "no"]
HowFilter = Literal["", "alone", "group", "pointed", "deduced", "given"]
Sort = Literal["source", "probability", "folder", "when", "near"]


@dataclass(frozen=True, slots=True)
class GalleryQuery:
    """Which items, and in what order.

    Parameters
    ----------
    label
        What the answers entail, or what the model guesses where they do not. Empty for any, as
        everywhere here.
    certain
        ``yes`` for labels that answers entail, ``no`` for guesses about open items.
    how, definition, annotator
        How a label was settled, after so many definitions, by whom.
    q
        Part of an item's name, or of its text.
    sort
        As in the ``source``; by the model's ``probability`` of the positive label, or by ``when``
        it was settled or marked unsure, both downwards; by ``folder``; or groups of
        ``near``-duplicates, and nothing else.
    reverse
        The other way round.
    like
        An item: those most like it come first, whatever `sort` says.
    """

    label: LabelFilter = ""
    certain: CertainFilter = ""
    how: HowFilter = ""
    definition: int | None = None
    annotator: str = ""
    q: str = ""
    sort: Sort = "source"
    reverse: bool = False
    like: int | None = None

    @property
    def groups(self) -> bool:
        """Whether near-duplicates are wanted."""
        return self.sort == "near" and self.like is None

    @property
    def compares(self) -> bool:
        """Whether it needs features to compare items by."""
        return self.groups or self.like is not None


class Gallery:
    """The gallery of one service.

    Parameters
    ----------
    service
        Where the items are.
    """

    def __init__(self, service: LabellingService) -> None:
        self._service = service
        self._table: tuple[object, LabelTable] | None = None
        self._orders: OrderedDict[GalleryQuery, tuple[object, Order]] = OrderedDict()
        self._folders: Order | None = None
        self._neighbours = Neighbours(len(service.pool))
        self._lock = threading.Lock()

    def page(self, query: GalleryQuery, page: int) -> replies.Gallery:
        """One page of the items that match; pages are counted from 1."""
        service = self._service
        with self._lock:  # one at a time: each may need memory for every item
            stamp, table = self._read()
            alike, columns = self._alike(query)
            stamp = stamp, alike, columns
            kept_at, order = self._orders.pop(query, (None, None))
            if order is None or kept_at != stamp:
                order = self._order(query, table, alike)
            self._orders[query] = stamp, order
            if len(self._orders) > _KEPT:
                self._orders.popitem(last=False)
            groups = self._neighbours.groups() if query.groups else None
        with service.lock:
            found = page_of(service, order, page)
            definitions = len(service.session.history.definitions)
        for item in found.items:
            item.near = None if groups is None else int(groups[item.item])
        found.annotators, found.definitions = sorted(table.annotators)[:200], definitions
        found.alike = alike
        return found

    def _alike(self, query: GalleryQuery) -> tuple[Alike, object]:
        """Whether items can be compared now; while near-duplicates are looked for, not yet."""
        made = self._service.preparation
        columns = None if made is None else made.columns
        if not self._neighbours.use(columns):
            return "none", columns
        if query.groups and self._neighbours.groups() is None:
            return "working", columns
        return "ready", columns

    def _read(self) -> tuple[object, LabelTable]:
        """What is known now, and what tells it from what was known before."""
        with self._service.lock:
            session = self._service.session
            stamp = session.history.last, session.probs.version
            if self._table is None or self._table[0] != stamp:
                self._table = stamp, read_table(session.history, session.probs)
            return self._table

    def _order(self, query: GalleryQuery, table: LabelTable, alike: Alike) -> Order:
        """The items that match, in order; without the service's lock."""
        mask = _matching(query, table)
        mask[list(self._service.session.history.source.gone)] = False
        if query.compares and alike != "ready":
            mask[:] = False
        groups = self._neighbours.groups() if query.groups else None
        if groups is not None:
            mask &= groups >= 0
        items = np.flatnonzero(mask).astype(np.int32)
        if query.q:  # a look at every text
            pool, words = self._service.pool, query.q.casefold()
            found = [item for item in items.tolist() if _matches(pool, item, words)]
            items = np.array(found, np.int32)
        if query.like is not None:
            if len(items):
                alike_to = self._neighbours.likeness(query.like)
                items = items[np.argsort(-alike_to[items], kind="stable")]
        elif query.sort == "probability":
            items = items[np.argsort(-table.probs[items], kind="stable")]
        elif query.sort == "when":
            items = items[np.argsort(-table.number[items], kind="stable")]
        elif query.sort == "folder":
            items = items[np.argsort(self._folder_ranks()[items], kind="stable")]
        elif groups is not None:
            items = items[np.argsort(groups[items], kind="stable")]
        else:
            items = items[np.argsort(_first_rows(self._service.pool)[items], kind="stable")]
        return items[::-1] if query.reverse else items

    def _folder_ranks(self) -> Order:
        """Which folder each item lies in, by the alphabet; worked out once."""
        if self._folders is None:
            names = [name.rpartition("/")[0] for name in self._service.pool.ids]
            ranks = {name: rank for rank, name in enumerate(sorted(set(names)))}
            self._folders = np.fromiter((ranks[name] for name in names), np.int32, len(names))
        return self._folders


def _first_rows(pool: Pool) -> NDArray[np.intp]:
    """By item, where it first stands in the source as it is now."""
    first = np.arange(len(pool))
    if isinstance(pool, OpenedPool):
        rows = pool.source_rows.items
        here = np.flatnonzero(rows != NO_ITEM)[::-1]
        first[rows[here]] = here
    return first


def _matching(query: GalleryQuery, table: LabelTable) -> NDArray[np.bool_]:
    mask = np.ones(len(table.labels), bool)
    settled = table.labels >= 0
    if query.label == "unsure":
        mask &= table.labels == -2
    elif query.label:
        positive = np.where(settled, table.labels == 1, table.probs >= 0.5)
        mask &= (positive == (query.label == "positive")) & (table.labels != -2)
    if query.certain:
        mask &= settled if query.certain == "yes" else table.labels == -1
    if query.how:
        mask &= table.how == HOW.index(query.how)
    if query.definition is not None:
        mask &= table.definition == query.definition
    if query.annotator:
        mask &= table.by(query.annotator)
    return mask


def _matches(pool: Pool, item: int, words: str) -> bool:
    if any(words in name.casefold() for name in (pool.ids[item], *pool.copies.get(item, ()))):
        return True
    return pool.kind != "images" and words in text_of(pool, item).casefold()
