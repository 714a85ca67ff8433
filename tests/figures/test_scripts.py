"""The scripts of figures: found in the gallery, joined with what they import, loaded by Node."""

import re
import shutil

import pytest

from headway.figures.core.scripts import (
    MOUNT,
    GalleryError,
    UnknownFigureError,
    check_gallery,
    classic_script,
    es_module,
    figure_folder,
    figure_folders,
    figure_names,
    joined,
)
from tests.figures.node import run

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
  await attempt(`${name} for a page`, () => {
    if (!classic.includes(`headwayFigure("${name}", figure)`)) throw new Error('it is lost');
    return new vm.Script(classic);
  });
}
await attempt('mount.js', () => new vm.Script(given.mount));
answer(faults);
"""


def test_node_loads_every_script_as_a_module_and_in_both_joined_forms():
    check_gallery()
    figures = {
        name: {
            "address": (folder / "figure.js").as_uri(),
            "module": es_module(name),
            "classic": classic_script(name),
        }
        for name, folder in figure_folders().items()
    }
    assert run(LOAD_ALL, {"figures": figures, "mount": MOUNT.read_text(encoding="utf-8")}) == {}


def test_an_unknown_figure_is_answered_with_those_there_are():
    with pytest.raises(UnknownFigureError, match=r"'nosuch'.*row_lookup"):
        es_module("nosuch")


def test_a_folder_that_lacks_a_file_or_whose_python_names_another_script_is_named(tmp_path):
    for name in ("bars", "columns"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(figure_folder("bars"), tmp_path / "room" / name, ignore=ignored)
    (tmp_path / "room" / "gone" / "__pycache__").mkdir(parents=True)
    assert figure_names(tmp_path) == ["bars", "columns"]
    for says, missing in [
        (r'gallery/room/columns/ does not.*script="columns"', "figure.js"),
        (r"gallery/room/columns/ has no figure\.js, which draws it", "__init__.py"),
        (r"gallery/room/columns/ has no __init__\.py, which feeds it", "figure.css"),
    ]:
        with pytest.raises(GalleryError, match=says):
            check_gallery(tmp_path)
        (tmp_path / "room" / "columns" / missing).unlink(missing_ok=True)


IMPORT = 'import { h } from "../../../core/shared.js";\n'
DEFAULT = "export default { render() { h(); } };\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DEFAULT, "must have one import"),
        (IMPORT + 'import fs from "node:fs";\n' + DEFAULT, "must have one import"),
        (IMPORT + "const later = import('./more.js');\n" + DEFAULT, "must have one import"),
        (IMPORT.replace("h }", "h, no }") + DEFAULT, r"imports no, .*exports stageOf, .*\bh\b"),
        (IMPORT + 'import { greedy } from "./beside.js";\n' + DEFAULT, "exports nothing"),
        (IMPORT, "must have one `export default"),
        (IMPORT + "export const a = 1;\n" + DEFAULT, "an `export function`"),
    ],
)
def test_a_script_that_cannot_be_joined_is_refused(tmp_path, text, says):
    script = tmp_path / "figure.js"
    script.write_text(text)
    with pytest.raises(GalleryError, match=says):
        joined(script)


def test_a_script_gets_the_names_that_it_imports_and_what_these_need_and_no_others(tmp_path):
    (tmp_path / "beside.js").write_text(
        'import { greedy } from "../../../engine/search.js";\n'
        "export function say() { return greedy; }\n"
    )
    script = tmp_path / "figure.js"
    script.write_text(
        IMPORT + 'import { say } from "./beside.js";\n'
        "export function later() { show(1); }\n" + DEFAULT
    )
    text = joined(script)
    assert text.startswith("const { h } = (() => {")
    assert text.count("function logSoftmax") == 1
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert text.count("export ") == 1


def test_two_figures_of_one_name_are_refused(tmp_path):
    for room in ("markov", "tokens"):
        shutil.copytree(figure_folder("bars"), tmp_path / room / "bars")
    with pytest.raises(GalleryError, match="called bars, in markov and in tokens"):
        figure_names(tmp_path)
