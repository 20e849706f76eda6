from __future__ import annotations

import io
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from askless.errors import InvalidInput
from askless.pools import changed_items, open_pool
from askless.pools._pictures import MAX_PIXELS

RED = (200, 30, 30)


def picture(width: int = 30, height: int = 20, colour: Any = RED, seed: int | None = 0) -> Any:
    pixels = np.full((height, width, 3), colour, np.uint8)
    if seed is not None:
        pixels[:, :, 1] = np.random.default_rng(seed).integers(0, 200, (height, width))
    return Image.fromarray(pixels)


def reasons(folder: Path) -> dict[str, str]:
    return {left.id: left.reason for left in open_pool(folder).unreadable}


@pytest.mark.parametrize("form", ["jpeg", "png", "webp", "gif", "tiff", "bmp"])
def test_every_format_is_read_whatever_the_case_of_its_name(tmp_path: Path, form: str) -> None:
    picture(seed=None).save(tmp_path / f"a.{form.upper()}", form)
    pool = open_pool(tmp_path)
    assert (pool.kind, pool.ids, pool.picture(0).shape) == (
        "images",
        (f"a.{form.upper()}",),
        (20, 30, 3),
    )
    assert abs(pool.picture(0)[:, :, 0].astype(int) - RED[0]).mean() < 12


def test_nested_folders_and_names_in_any_script_are_read_in_one_order(tmp_path: Path) -> None:
    names = ["b.png", "a/ü/日本.png", "a/x y.png", "a/🙂.png"]
    for seed, name in enumerate(names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        picture(seed=seed).save(tmp_path / name)
    assert list(open_pool(tmp_path).ids) == sorted(names)


def test_names_that_are_not_unicode_are_spelt_out(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    picture().save(buffer, "png")
    with open(os.fsencode(tmp_path) + b"/\xff.png", "wb") as file:
        file.write(buffer.getvalue())
    pool = open_pool(tmp_path)
    assert pool.ids == ("\\xff.png",)
    assert pool.picture(0).shape == (20, 30, 3)


def test_a_picture_is_turned_upright_as_its_camera_noted(tmp_path: Path) -> None:
    lying = picture(seed=None)
    lying.paste((0, 0, 255), (0, 0, 30, 5))  # blue along the top
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter clockwise
    lying.save(tmp_path / "a.jpg", exif=exif, quality=95)
    upright = open_pool(tmp_path).picture(0)
    assert upright.shape == (30, 20, 3)
    assert upright[:, 18, 2].mean() > 200 > 100 > upright[:, 1, 2].mean()
    assert open_pool(tmp_path).picture(0, 15).shape == (15, 10, 3)


def test_sixteen_bits_are_stretched_to_eight(tmp_path: Path) -> None:
    values = np.linspace(500, 3000, 64).astype(np.uint16).reshape(8, 8)
    Image.fromarray(values).save(tmp_path / "a.tif")
    Image.fromarray(values).save(tmp_path / "b.png")
    pool = open_pool(tmp_path)
    for item in range(2):
        seen = pool.picture(item)
        assert (seen.min(), seen.max(), seen.shape) == (0, 255, (8, 8, 3))


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I", "F"])
def test_every_mode_of_pixels_becomes_colour(tmp_path: Path, mode: str) -> None:
    picture().convert(mode).save(tmp_path / "a.tiff")
    assert open_pool(tmp_path).picture(0).shape == (20, 30, 3)


def test_what_is_transparent_is_shown_white(tmp_path: Path) -> None:
    Image.new("RGBA", (4, 4), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert (open_pool(tmp_path).picture(0) == 255).all()


def test_the_first_frame_of_a_moving_picture_is_shown(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("white", "black")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    assert (open_pool(tmp_path).picture(0) == 255).all()


def test_exact_duplicates_are_one_item(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "c.png"):
        picture().save(tmp_path / name)
    picture(seed=1).save(tmp_path / "d.png")
    pool = open_pool(tmp_path)
    assert (pool.ids, pool.copies) == (("a.png", "d.png"), {0: ("b.png", "c.png")})


def test_a_subfolder_per_label_brings_labels(tmp_path: Path) -> None:
    for seed, name in enumerate(("cat/1.png", "cat/deep/2.png", "dog/3.png", "loose.png")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        picture(seed=seed).save(tmp_path / name)
    pool = open_pool(tmp_path, label="folder", true="cat", false="*")
    assert pool.known.tolist() == [1, 1, 0, -1]
    assert pool.label_names == ("cat", "dog")
    with pytest.raises(InvalidInput, match="Say which of the subfolders"):
        open_pool(tmp_path, label="folder")
    with pytest.raises(InvalidInput, match=r"'bird'.*'cat', 'dog'"):
        open_pool(tmp_path, label="folder", true="bird")


def test_one_picture_in_folders_of_both_labels_is_asked_twice(tmp_path: Path) -> None:
    for name in ("yes/1.png", "no/2.png", "no/3.png", "loose.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        picture().save(tmp_path / name)
    pool = open_pool(tmp_path, label="folder")
    assert (pool.ids, pool.known.tolist()) == (("loose.png", "yes/1.png"), [0, 1])
    assert pool.copies == {0: ("no/2.png", "no/3.png")}


def test_what_cannot_be_read_is_listed_with_a_reason_and_stops_nothing(tmp_path: Path) -> None:
    picture(300, 200).save(tmp_path / "good.jpg")
    picture(300, 200).save(tmp_path / "good.png")
    picture(300, 200).save(tmp_path / "good.webp")
    picture(300, 200).save(tmp_path / "good.bmp")
    picture(300, 200).save(tmp_path / "good.tif")
    for form in ("jpg", "png", "webp", "bmp", "tif"):
        content = (tmp_path / f"good.{form}").read_bytes()
        (tmp_path / f"short.{form}").write_bytes(content[: len(content) // 2])
        (tmp_path / f"stub.{form}").write_bytes(content[:9])
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "words.jpg").write_text("these are words")
    (tmp_path / "page.svg").write_text("<svg onload='alert(1)'/>")
    (tmp_path / "notes.txt").write_text("no picture, and not meant as one")
    (tmp_path / ".hidden.png").write_bytes(b"")
    found = reasons(tmp_path)
    forms = ("jpg", "png", "webp", "bmp", "tif")
    short = {f"{what}.{form}" for what in ("short", "stub") for form in forms}
    assert set(found) == short | {"empty.png", "words.jpg", "page.svg"}
    assert found["empty.png"] == "The file is empty."
    assert "not a picture" in found["words.jpg"]
    assert "SVG" in found["page.svg"]
    assert len(open_pool(tmp_path)) == 5


def test_a_picture_with_the_wrong_suffix_is_still_a_picture(tmp_path: Path) -> None:
    picture().save(tmp_path / "a.jpg", "png")
    picture(seed=1).save(tmp_path / "no suffix", "png")
    assert open_pool(tmp_path).ids == ("a.jpg", "no suffix")


def test_a_bomb_is_not_decoded(tmp_path: Path) -> None:
    side = int(MAX_PIXELS**0.5) + 1
    (tmp_path / "bomb.png").write_bytes(png_header(side, side))
    (tmp_path / "worse.png").write_bytes(png_header(60_000, 60_000))
    picture().save(tmp_path / "good.png")
    found = reasons(tmp_path)
    assert set(found) == {"bomb.png", "worse.png"}
    assert all("pixels; at most" in reason for reason in found.values())


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    picture(seed=1).save(outside / "secret.png")
    picture().save(inside / "a.png")
    (inside / "b.png").symlink_to("a.png")
    (inside / "link.png").symlink_to(outside / "secret.png")
    (inside / "folder").symlink_to(outside)
    (inside / "loop.png").symlink_to("loop.png")
    (inside / "gone.png").symlink_to("nothing.png")
    pool = open_pool(inside)
    assert (pool.ids, pool.copies) == (("a.png",), {0: ("b.png",)})
    assert {left.id for left in pool.unreadable} == {"link.png", "folder", "loop.png", "gone.png"}


def test_a_file_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    picture().save(folder / "a.png")
    picture().save(tmp_path / "same.png")
    pool = open_pool(folder)
    (folder / "a.png").unlink()
    (folder / "a.png").symlink_to(tmp_path / "same.png")
    with pytest.raises(InvalidInput, match="link"):
        pool.picture(0)


def test_pipes_and_other_non_files_do_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    picture().save(tmp_path / "a.png")
    assert set(reasons(tmp_path)) == {"pipe.png"}


def test_changed_and_removed_files_are_noticed(tmp_path: Path) -> None:
    for seed, name in enumerate("abc"):
        picture(seed=seed).save(tmp_path / f"{name}.png")
    pool = open_pool(tmp_path)
    assert changed_items(pool) == {}
    picture(seed=9).save(tmp_path / "a.png")
    (tmp_path / "b.png").unlink()
    found = changed_items(pool)
    assert sorted(found) == [0, 1]
    assert "a.png has changed" in found[0]
    assert "b.png can no longer be read" in found[1]
    with pytest.raises(InvalidInput, match="has changed"):
        pool.picture(0)
    with pytest.raises(InvalidInput, match="no longer"):
        pool.picture(1)
    assert pool.picture(2).shape == (20, 30, 3)


def test_damage_in_the_middle_is_told_when_the_picture_is_shown(tmp_path: Path) -> None:
    Image.fromarray(np.zeros((64, 64, 3), np.uint8)).save(tmp_path / "a.png")
    picture(64, 64).save(tmp_path / "b.webp", lossless=True)
    content = bytearray((tmp_path / "b.webp").read_bytes())
    content[40:400] = bytes(360)
    (tmp_path / "b.webp").write_bytes(content)
    pool = open_pool(tmp_path)
    with pytest.raises(InvalidInput, match=r"b\.webp: The picture is damaged"):
        pool.picture(1)


def test_sessions_inside_the_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "my.askless").mkdir()
    picture(seed=1).save(tmp_path / "my.askless" / "thumbnail.png")
    picture().save(tmp_path / "a.png")
    assert open_pool(tmp_path).ids == ("a.png",)


def test_a_folder_without_pictures_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"has nothing to label\. Name a folder with pic"):
        open_pool(tmp_path)
    (tmp_path / "a.png").write_bytes(b"")
    with pytest.raises(
        InvalidInput, match=r"label; 1 could not be read\. The first, a\.png: The file is"
    ):
        open_pool(tmp_path)


def test_reading_tells_how_far_it_is(tmp_path: Path) -> None:
    for seed in range(3):
        picture(seed=seed).save(tmp_path / f"{seed}.png")
    told = list[float]()
    open_pool(tmp_path, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def png_header(width: int, height: int) -> bytes:
    """A small file that claims to be a large picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
