"""The style sheets: colors, and that each figure has what it needs and no more."""

import re

import numpy as np
import pytest

from headway.figures.core.palette import DARK, LIGHT, MEANINGS
from headway.figures.core.scripts import figure_folder, figure_names
from headway.figures.core.styles import (
    FIGURES,
    base_style,
    figure_style,
    joined,
    part_style,
    site_style,
)

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR_CLASS = re.compile(r"\.(hw-[\w-]+)")
SHEETS = sorted(FIGURES.rglob("*.css"))


each_mode = pytest.mark.parametrize(("palette", "mode"), [(LIGHT, 0), (DARK, 1)])


def color_of(name: str, mode: int) -> str:
    """A color of the style sheet by its name, light (0) or dark (1)."""
    return re.findall(rf"--hw-{name}: (#\w+);", base_style())[mode]


@each_mode
def test_the_style_sheet_has_the_palette_with_a_color_of_its_own_for_each_meaning(palette, mode):
    for color in (palette.paper, palette.ink, palette.muted, palette.line, *palette.hues):
        assert color in base_style()
    for name, color in MEANINGS.items():
        assert color_of(name, mode) == palette.hues[int(color[1:])]
    assert len(set(MEANINGS.values())) == len(MEANINGS)


@each_mode
def test_words_and_lines_stand_out_from_every_ground(palette, mode):
    for color in (palette.ink, palette.muted, *palette.hues):
        assert contrast(color, palette.paper) >= 4.5
    for ground in ("paper", "panel", "lit"):
        for name, least in (
            {"ink": 4.5, "muted": 4.5, "edge": 3} | dict.fromkeys(MEANINGS, 3)
        ).items():
            assert contrast(color_of(name, mode), color_of(ground, mode)) >= least
    depth = int(re.search(r"var\(--p\) \* (\d+)%", part_style("grid"))[1]) / 100
    panel = parts_of(color_of("panel", mode))
    for color in (*palette.hues, color_of("edge", mode)):
        deepest = depth * parts_of(color) + (1 - depth) * panel
        assert contrast(palette.ink, "#" + bytes(deepest.round().astype("uint8")).hex()) >= 4.5


def parts_of(color: str) -> np.ndarray:
    """Red, green and blue of a color, "#0067a5"."""
    return np.array([*bytes.fromhex(color[1:])])


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors, WCAG 2."""

    def luminance(color):
        parts = parts_of(color) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    bright, dim = sorted([luminance(one), luminance(other)], reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def rules(text: str) -> list[str]:
    """The rules of a sheet, without comments, each on one line."""
    bare = re.sub(r'@import "[^"]+";', "", COMMENT.sub("", text))
    return [" ".join(rule.split()) for rule in re.findall(r"[^{}]+\{[^{}]*\}", bare)]


def classes(text: str) -> set[str]:
    return set(SELECTOR_CLASS.findall(COMMENT.sub("", text)))


def test_the_site_gets_every_rule_of_every_sheet_once_the_base_first():
    each = [rule for sheet in SHEETS for rule in rules(sheet.read_text(encoding="utf-8"))]
    assert sorted(rules(site_style())) == sorted(each)
    assert "@import" not in site_style()
    assert site_style().startswith(base_style())


@pytest.mark.parametrize("name", figure_names())
def test_a_figure_brings_every_rule_for_the_classes_of_its_script(name):
    script = (figure_folder(name) / "figure.js").read_text(encoding="utf-8")
    mine = set(re.findall(r"hw-[a-z][\w-]*", script))
    own = rules(base_style() + figure_style(name))
    for rule in rules(site_style()):
        about = classes(rule.partition("{")[0]) - {"hw-figure"}
        assert not about or not about <= mine or rule in own


def test_a_sheet_that_imports_what_is_not_there_is_named(tmp_path):
    sheet = tmp_path / "figure.css"
    sheet.write_text('@import "../nosuch.css";\n')
    with pytest.raises(ValueError, match=r"figure\.css imports nosuch\.css, which is not there"):
        joined(sheet)
