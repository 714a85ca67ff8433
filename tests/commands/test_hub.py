"""`headway hub`: what it says where it cannot work."""

import os

import pytest

from headway.errors import BAD_INPUT
from headway.grading.hub import accounts


@pytest.fixture
def root(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 0)


def refused(headway, *arguments) -> str:
    done = headway("hub", *arguments)
    assert done.code == BAD_INPUT
    assert not arguments[0].exists()
    return done.err


def test_another_than_root_is_told_why(headway, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert "only root may do" in refused(headway, tmp_path / "room")


def test_a_new_classroom_needs_a_teacher_who_has_an_account(headway, root, tmp_path):
    assert "--teacher ACCOUNT, or --demo" in refused(headway, tmp_path / "room")
    said = refused(headway, tmp_path / "room", "--teacher", "nobody-of-this-name")
    assert "useradd --create-home nobody-of-this-name" in said


def test_no_account_is_made_for_a_demonstration_that_nobody_could_reach(
    headway, root, tmp_path, monkeypatch
):
    monkeypatch.setattr(accounts, "make_demo_accounts", lambda: pytest.fail("made"))
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    assert "is closed to them" in refused(headway, closed / "room", "--demo")
