"""The scripts of figures: found in the gallery, joined with what they import, loaded by Node."""

import re
import shutil

import pytest

from headway.figures.core.scripts import (
    ENGINE,
    GALLERY,
    MOUNT,
    SHARED,
    TAKEN,
    GalleryError,
    UnknownFigureError,
    check_gallery,
    classic_script,
    es_module,
    figure_names,
    joined,
    place,
)
from tests.figures.node import run

NAMES = figure_names()
LOAD_ALL = """
import vm from 'node:vm';
const faults = {};
const attempt = async (what, load) => {
  try { await load(); } catch (error) { faults[what] = String(error); }
};
for (const [name, { address, module, classic }] of Object.entries(given.figures)) {
  const drawn = (loaded) => {
    if (typeof loaded.default.render !== 'function') throw new Error('there is no render');
  };
  await attempt(`${name}/figure.js`, async () => drawn(await import(address)));
  const inline = 'data:text/javascript,' + encodeURIComponent(module);
  await attempt(`${name} for a notebook`, async () => {
    const loaded = await import(inline);
    drawn(loaded);
    if (Object.keys(loaded).length !== 1) throw new Error('it exports more than its default');
  });
  await attempt(`${name} for a page`, () => new vm.Script(classic));
}
await attempt('mount.js', () => new vm.Script(given.mount));
answer(faults);
"""


def test_node_loads_every_script_as_a_module_and_in_both_joined_forms():
    figures = {
        name: {
            "address": (GALLERY / name / "figure.js").as_uri(),
            "module": es_module(name),
            "classic": classic_script(name),
        }
        for name in NAMES
    }
    assert run(LOAD_ALL, {"figures": figures, "mount": MOUNT.read_text(encoding="utf-8")}) == {}


SCRIPTS = sorted([*GALLERY.glob("*/*.js"), *ENGINE.glob("*.js")])


@pytest.mark.parametrize("script", SCRIPTS, ids=place)
def test_a_script_takes_the_shared_names_that_it_uses_and_no_more(script):
    text = script.read_text(encoding="utf-8")
    body = TAKEN.sub("", text)
    for names, *_ in TAKEN.findall(text):
        taken = names.split(", ")
        assert taken == sorted(set(taken))
        assert [name for name in taken if not re.search(rf"\b{name}\b", body)] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_classic_script_hands_over_its_module_and_has_no_module_syntax(name):
    classic = classic_script(name)
    assert f'headwayFigure("{name}", figure)' in classic
    assert not re.search(r"^\s*(import|export)\b", classic, re.MULTILINE)


def test_an_unknown_figure_is_answered_with_those_there_are():
    with pytest.raises(UnknownFigureError, match=r"'nosuch'.*row_lookup"):
        es_module("nosuch")


def test_the_gallery_is_in_order():
    check_gallery()


@pytest.fixture
def gallery(tmp_path):
    """A gallery of one figure, "bars"."""
    shutil.copytree(
        GALLERY / "bars", tmp_path / "bars", ignore=shutil.ignore_patterns("__pycache__")
    )
    check_gallery(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("figure.js", r"gallery/bars/ has no figure\.js, which draws it"),
        ("__init__.py", r"gallery/bars/ has no __init__\.py, which feeds it"),
    ],
)
def test_a_figure_that_lacks_a_file_is_named(gallery, file, says):
    (gallery / "bars" / file).unlink()
    with pytest.raises(GalleryError, match=says):
        check_gallery(gallery)


def test_python_that_does_not_name_its_script_is_named(gallery):
    (gallery / "bars").rename(gallery / "columns")
    with pytest.raises(GalleryError, match=r'gallery/columns/ does not.*script="columns"'):
        check_gallery(gallery)


def test_a_folder_with_byte_code_only_is_no_figure(gallery):
    (gallery / "gone" / "__pycache__").mkdir(parents=True)
    assert figure_names(gallery) == ["bars"]


IMPORT = 'import { h } from "../../core/shared.js";\n'
DEFAULT = "export default { render() { h(); } };\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DEFAULT, "must have one import"),
        (IMPORT + 'import fs from "node:fs";\n' + DEFAULT, "must have one import"),
        (IMPORT + "const later = import('./more.js');\n" + DEFAULT, "must have one import"),
        ('import { h } from "./shared.js";\n' + DEFAULT, "must have one import"),
        (
            IMPORT.replace("h }", "h, nosuch }") + DEFAULT,
            r"imports nosuch, .*exports stageOf, .*\bh\b",
        ),
        (IMPORT.replace("h }", "SVG_NAMES }") + DEFAULT, "imports SVG_NAMES"),
        (IMPORT + 'import { greedy } from "./beside.js";\n' + DEFAULT, "exports nothing"),
        (IMPORT, "must have one `export default"),
        (IMPORT + DEFAULT + DEFAULT, "must have one `export default"),
        (IMPORT + "export const a = 1;\n" + DEFAULT, "an `export function`"),
    ],
)
def test_a_script_that_cannot_be_joined_is_refused(tmp_path, text, says):
    script = tmp_path / "figure.js"
    script.write_text(text)
    with pytest.raises(GalleryError, match=says):
        joined(script)


def test_a_module_beside_a_script_and_what_it_imports_come_along(tmp_path):
    beside = tmp_path / "beside.js"
    beside.write_text(
        'import { greedy } from "../../engine/search.js";\n'
        "export function say() { return greedy; }\n"
    )
    script = tmp_path / "figure.js"
    script.write_text(IMPORT + 'import { say } from "./beside.js";\n' + DEFAULT)
    text = joined(script)
    assert text.count("function logSoftmax") == 1
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert text.count("export ") == 1


def test_a_shared_name_that_was_not_imported_is_not_there(tmp_path):
    script = tmp_path / "figure.js"
    script.write_text(IMPORT + "export function later() { show(1); }\n" + DEFAULT)
    outside = joined(script).partition("})();")[2]
    assert "show(1)" in outside
    assert "export function later" not in outside
    assert joined(script).startswith("const { h } = (() => {")
    assert SHARED.read_text(encoding="utf-8").count("export function") > 5
