"""The network learns what it is shown, is calibrated on the way, and can be stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from askless.core.clause import Clause
from askless.errors import InvalidInput
from askless.predictors.network import Network

pytestmark = pytest.mark.torch

N, SIDE = 60, 8
TRUTH = np.arange(N) % 2 == 0


def pictures() -> NDArray[np.uint8]:
    """Bright above or bright below, with noise."""
    rng = np.random.default_rng(0)
    images = rng.integers(0, 60, (N, SIDE, SIDE), dtype=np.uint8)
    images[TRUTH, :4] += 120
    images[~TRUTH, 4:] += 120
    return images.reshape(N, -1)


def known(count: int) -> NDArray[np.int8]:
    return np.where(np.arange(N) < count, TRUTH, -1).astype(np.int8)


def tiny(**options: Any) -> Network:
    return Network(**{"width": 4, "device": "cpu", **options})


def taught(fits: int = 8, **options: Any) -> Network:
    network = tiny(**options)
    for _ in range(fits):
        network.fit(pictures(), known(20))
    return network


@pytest.mark.parametrize("options", [{}, {"pool_norm": False, "calibrate": False}])
def test_network_learns_what_it_is_shown(options: dict[str, Any]) -> None:
    probs = taught(12, **options).predict(pictures())
    assert np.mean((probs > 0.5) == TRUTH) > 0.9


def test_without_a_label_everything_is_one_half() -> None:
    network = tiny()
    network.fit(pictures(), known(0), (Clause((3, 4), (True, True), 0),))
    assert np.array_equal(network.predict(pictures()), np.full(N, 0.5))


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_labels_of_one_kind_are_trusted_no_further_than_the_rule_of_succession(
    count: int,
) -> None:
    labels = np.full(N, -1, np.int8)
    labels[:count] = 1
    network = tiny()
    for _ in range(6):
        network.fit(pictures(), labels)
    assert network.predict(pictures()).max() <= (count + 1) / (count + 2)


def test_a_fit_goes_on_from_the_weights_it_has() -> None:
    once, often = taught(1).predict(pictures()), taught(8).predict(pictures())
    assert np.abs(often[20:] - TRUTH[20:]).mean() < np.abs(once[20:] - TRUTH[20:]).mean()


def test_refuted_guess_lowers_the_chance_of_its_items_together() -> None:
    items = (50, 52, 54)  # True, all of them, and so guessed; the answer no is contrived
    clause = Clause(items, (True, True, True), 0)
    with_it, without = taught(6), taught(6)
    ignoring = taught(6, wrong_guesses=0.0)
    for _ in range(6):
        with_it.fit(pictures(), known(20), (clause,))
        without.fit(pictures(), known(20))
        ignoring.fit(pictures(), known(20), (clause,))
    right = [np.prod(each.predict(pictures())[list(items)]) for each in (with_it, without)]
    assert right[0] < right[1]
    assert np.array_equal(ignoring.predict(pictures()), without.predict(pictures()))


def test_more_labels_than_allowed_are_thinned_out() -> None:
    few = taught(6, most_labels=4)
    assert np.isfinite(few.predict(pictures())).all()
    assert not np.array_equal(few.predict(pictures()), taught(6).predict(pictures()))


def test_calibration_keeps_the_order_of_the_items() -> None:
    calibrated, bare = taught(6), taught(6, calibrate=False)
    order = np.argsort(calibrated.predict(pictures()), kind="stable")
    assert (np.diff(bare.predict(pictures())[order]) >= -1e-12).all()


def test_seed_fixes_the_weights_and_leaves_torch_alone() -> None:
    import torch

    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    one, same, other = taught(1, seed=1), taught(1, seed=1), taught(1, seed=2)
    assert torch.equal(torch.rand(3), wanted)
    assert np.array_equal(one.predict(pictures()), same.predict(pictures()))
    assert not np.array_equal(one.predict(pictures()), other.predict(pictures()))


def test_colour_is_read_as_height_width_channel() -> None:
    grey = pictures().reshape(N, SIDE, SIDE)
    colour = np.stack([grey, grey, grey], axis=-1).reshape(N, -1)
    shaped, guessed, plain = tiny(shape=[SIDE, SIDE, 3]), tiny(), tiny()
    for _ in range(2):
        shaped.fit(colour, known(20))
        guessed.fit(colour, known(20))
        plain.fit(pictures(), known(20))
    assert np.allclose(shaped.predict(colour), plain.predict(pictures()), atol=1e-5)
    assert np.array_equal(shaped.predict(colour), guessed.predict(colour))


def test_rows_that_are_no_such_picture_are_refused() -> None:
    with pytest.raises(InvalidInput, match="with the option shape"):
        tiny(shape=[5, 5]).fit(pictures(), known(3))


@pytest.mark.parametrize(
    "options",
    [
        {"shape": [3]},
        {"shape": [0, 4]},
        {"epochs": 0},
        {"rate": -1.0},
        {"width": 0},
        {"wrong_guesses": -1.0},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Network(**options)


def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(InvalidInput, match="another network"):
        tiny(width=2).restore(taught(1).arrays())


def test_damaged_arrays_are_refused() -> None:
    arrays = dict(taught(1).arrays())
    for name in ("tones", "shape"):
        with pytest.raises(InvalidInput, match="its own arrays"):
            tiny().restore(arrays | {name: np.zeros(2)})
    with pytest.raises(InvalidInput, match="its own arrays"):
        tiny().restore({name: array for name, array in arrays.items() if name != "tones"})


def test_restored_network_learns_on_as_if_nothing_had_happened() -> None:
    here = taught(3)
    there = tiny()
    there.restore(here.arrays())
    here.fit(pictures(), known(30))
    there.fit(pictures(), known(30))
    assert np.array_equal(here.predict(pictures()), there.predict(pictures()))


def test_network_is_fitted_in_the_background_by_name(tmp_path: Path) -> None:
    import time

    from askless.files.arrays import write_array
    from askless.trainer.background import BackgroundTrainer

    write_array(tmp_path / "x.npy", pictures())
    options = {"width": 4, "shape": [SIDE, SIDE], "device": "cpu"}
    with BackgroundTrainer(
        tmp_path / "t", N, predictor="network", options=options, features=tmp_path / "x.npy"
    ) as trainer:
        trainer.submit(known(20), (), 7)
        end = time.monotonic() + 600
        while (fresh := trainer.poll()) is None:
            assert time.monotonic() < end, trainer.status()
            time.sleep(0.02)
    assert fresh.answers == 7
    assert np.allclose(fresh.probs.values, taught(1).predict(pictures()), atol=1e-4)
