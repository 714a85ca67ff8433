"""`headway hub`: what it says where it cannot work."""

import os

import pytest

from headway.errors import BAD_INPUT


@pytest.fixture
def root(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 0)


def test_another_than_root_is_told_why(headway, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    done = headway("hub", tmp_path / "room")
    assert done.code == BAD_INPUT
    assert "only root may do" in done.err
    assert not (tmp_path / "room").exists()


def test_a_new_classroom_needs_a_teacher(headway, root, tmp_path):
    done = headway("hub", tmp_path / "room")
    assert done.code == BAD_INPUT
    assert "--teacher ACCOUNT, or --demo" in done.err


def test_a_teacher_without_an_account_is_told_how_to_make_one(headway, root, tmp_path):
    done = headway("hub", tmp_path / "room", "--teacher", "nobody-of-this-name")
    assert done.code == BAD_INPUT
    assert "useradd --create-home nobody-of-this-name" in done.err
    assert not (tmp_path / "room").exists()


def test_no_account_is_made_for_a_demonstration_that_nobody_could_reach(
    headway, root, tmp_path, monkeypatch
):
    monkeypatch.setattr("headway.commands.hub.make_demo_accounts", lambda: pytest.fail("made"))
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    done = headway("hub", closed / "room", "--demo")
    assert done.code == BAD_INPUT
    assert "is closed to them" in done.err
