from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from askless.errors import InvalidInput, UnknownPart
from askless.predictors import make_predictor, predictor_names, predictor_options
from askless.predictors.logistic import Logistic


def test_every_name_has_options_with_defaults() -> None:
    for name in predictor_names():
        assert all(isinstance(option, str) for option in predictor_options(name))
        if name != "network" or find_spec("torch"):
            make_predictor(name)


def test_network_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InvalidInput, match=r"askless\[torch\]"):
        make_predictor("network")


def test_predictor_of_ones_own_is_named_by_where_it_is() -> None:
    assert isinstance(make_predictor("askless.predictors.logistic:Logistic", scale=2.0), Logistic)


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPart, match=r"no predictor named 'logisitc'.*logistic"):
        make_predictor("logisitc")


@pytest.mark.parametrize("name", ["no.such.module:Thing", "askless.predictors.logistic:Thing"])
def test_class_that_is_not_there_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"package\.module:NAME"):
        make_predictor(name)


def test_option_it_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has the options most_labels, scale, seed; got depth"):
        make_predictor("logistic", depth=3)


def test_logistic_needs_numpy_alone() -> None:
    code = (
        "import sys; from askless.predictors import make_predictor; make_predictor('logistic');"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"scipy", "sklearn", "torch"}.isdisjoint(done.stdout.split())
