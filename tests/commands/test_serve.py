"""Serving: to this machine only, on a port that is said."""

import threading
import urllib.request

import pytest

from headway.commands.serve import HOST, address, make_server
from headway.errors import UserError


def test_a_folder_is_served_to_this_machine(tmp_path):
    (tmp_path / "page.html").write_text("hello")
    with make_server(tmp_path, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert urllib.request.urlopen(address(server) + "page.html").read() == b"hello"
        server.shutdown()
    assert HOST == "127.0.0.1"


@pytest.mark.parametrize("port", [-1, 70_000])
def test_a_port_that_cannot_be_is_said(tmp_path, port):
    with pytest.raises(UserError, match=f"Port {port} .* --port 0"):
        make_server(tmp_path, port)


def test_a_port_that_is_taken_is_said_before_the_book_is_built(tmp_path, headway, monkeypatch):
    monkeypatch.setattr("headway.commands.book.build_book", lambda *_, **__: pytest.fail("built"))
    with make_server(tmp_path, 0) as taken:
        result = headway("book", "--serve", "--port", taken.server_port)
    assert result.code == 2
    assert f"Port {taken.server_port} of 127.0.0.1 cannot be used" in result.err
