"""The secret is the user's own: nothing that a session folder holds can stand in for it."""

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer

from askless.errors import InvalidInput, UnsafeFile
from askless.files.user_state import state_folder
from askless.web.secret import SIGNER, session_key
from askless.web.tickets import Tickets
from tests.web.services import HOST, client_of, key, pictures, post, service_on

PLANTED = b"planted by whoever sent it: 32 bytes"


def test_a_secret_planted_in_the_folder_signs_nothing_and_is_removed(tmp_path: Path) -> None:
    source = pictures(tmp_path / "photos")
    service_on(source).close()
    planted = source.with_name("photos.askless") / "secret"
    planted.write_bytes(PLANTED)
    service = service_on(source)
    stranger = client_of(service, let_in=False)
    for secret in (PLANTED, hashlib.sha256(PLANTED).digest()):
        salt = "askless-cookie:askless"
        forged = URLSafeTimedSerializer(secret, salt=salt, signer_kwargs=SIGNER).dumps("nonce")
        headers = {"host": HOST, "cookie": f"askless={forged}"}
        assert stranger.get("/api/session", headers=headers).status_code == 401
    client = client_of(service)
    asked = post(client, "/api/ask", tab="t")["question"]
    question = service.session.history.asked[asked["id"]].question
    ticket = Tickets(PLANTED).sign(question, "ann")
    body: dict[str, Any] = {
        "tab": "t",
        "question_id": None,
        "kind": "yes",
        "wrong": [],
        "key": key(),
    }
    assert client.post("/api/tell", json={**body, "ticket": ticket}).status_code == 409
    assert service.session.state.n_settled == 0
    assert not planted.exists()
    service.close()


def test_a_link_in_the_place_of_the_old_secret_is_not_followed(tmp_path: Path) -> None:
    source = pictures(tmp_path / "photos")
    service_on(source).close()
    mine = tmp_path / "mine"
    mine.write_bytes(b"keep this")
    (source.with_name("photos.askless") / "secret").symlink_to(mine)
    with pytest.raises(UnsafeFile, match="secret is a symbolic link"):
        service_on(source)
    assert mine.read_bytes() == b"keep this"


def test_the_secret_is_for_its_owner_alone_and_not_in_the_session(tmp_path: Path) -> None:
    service = service_on(pictures(tmp_path / "p", 2))
    client_of(service)
    secret = state_folder() / "secret"
    assert secret.stat().st_mode & 0o777 == 0o600
    assert state_folder().stat().st_mode & 0o777 == 0o700
    for path in service.settings.folder.rglob("*"):
        if path.is_file():
            assert secret.read_bytes() not in path.read_bytes()
            assert session_key(service.id) not in path.read_bytes()
    service.close()


def test_a_session_begun_in_the_place_of_another_and_a_copy_elsewhere_have_keys_of_their_own(
    tmp_path: Path,
) -> None:
    source = pictures(tmp_path / "p", 2)
    first = service_on(source)
    first.close()
    again = service_on(source)
    again.close()
    assert again.id == first.id
    folder = source.with_name("p.askless")
    copied = Path(shutil.copytree(folder, tmp_path / "copied"))
    copy = service_on(source, folder=copied)
    copy.close()
    shutil.rmtree(folder)
    second = service_on(source)
    second.close()
    ids = {first.id, copy.id, second.id}
    assert len(ids) == len({session_key(one) for one in ids}) == 3


def test_a_secret_that_was_cut_short_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKLESS_STATE", str(tmp_path / "state"))
    first = session_key("s")
    assert session_key("s") == first
    (tmp_path / "state/secret").write_bytes(b"short")
    assert session_key("s") == session_key("s") != first


def test_a_state_folder_that_cannot_be_written_is_named_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ASKLESS_STATE", str(tmp_path / "file"))
    with pytest.raises(InvalidInput, match="ASKLESS_STATE"):
        session_key("s")
