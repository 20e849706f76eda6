from askless.lab.known_pool import read_known_pool
from askless.pools import demo, open_pool


def test_the_pool_is_what_its_docstring_says() -> None:
    pool = read_known_pool(demo.PATH)
    right = int(((pool.probs.values > 0.5) == pool.labels).sum())
    assert (len(pool), int(pool.labels.sum()), right) == (2000, 776, 1894)


def test_the_pictures_are_what_the_docstring_says() -> None:
    pool = open_pool("demo", label=demo.POSITIVE)
    assert (len(pool), int(pool.known.sum()), pool.picture(0).shape) == (2000, 615, (28, 28, 3))


def test_the_pool_is_small_enough_to_travel_with_the_package() -> None:
    assert demo.PATH.stat().st_size < 100_000
    assert demo.PICTURES.stat().st_size < 1_000_000


def test_the_licence_of_the_images_lies_beside_it() -> None:
    notice = (demo.PATH.parent / "NOTICE.txt").read_text(encoding="utf-8")
    assert "Zalando SE" in notice
    assert "Permission is hereby granted" in notice
