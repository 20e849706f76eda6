"""Labelling as one object: a source in, a loop of questions, labels out on the caller's own table.

    opening             `label`: a `Labelling` for a source, in memory or in a folder; `widget`
    labelling           ask, tell, undo, run, labels, serve
    question            a question as a function, or a cell, sees it
    answering           what came back, as an answer
    own_model           a model given as an object: a predictor, or an estimator of scikit-learn
    own_features        features given as an array, a matrix, a column or a function
    caller_table        what the caller calls the items, and labels in their kind of table
    serving             the app in a thread, for a browser or a cell
    cell                the widget, in a cell of a notebook
    widget_module       the page's own scripts, for a notebook

It assembles nothing itself: pools, sessions and the app are opened where everybody opens them.
Imported by `askless` alone.
"""

from askless.labelling.labelling import Labelling
from askless.labelling.opening import label, widget

__all__ = ["Labelling", "label", "widget"]
