"""The style sheets: colors, and that each figure has what it needs and no more."""

import re

import numpy as np
import pytest

from headway.figures.core.palette import DARK, LIGHT, MEANINGS
from headway.figures.core.scripts import GALLERY, figure_names
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


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_style_sheet_has_the_colors_of_the_palette(palette):
    for color in (palette.paper, palette.ink, palette.muted, palette.line, *palette.hues):
        assert color in base_style()


@pytest.mark.parametrize(("palette", "place"), [(LIGHT, 0), (DARK, 1)])
def test_queries_keys_values_and_the_stream_have_a_color_each(palette, place):
    for name, color in MEANINGS.items():
        said = re.findall(rf"--hw-{name}: (#\w+);", base_style())
        assert said[place] == palette.hues[int(color[1:])], name
    assert len(set(MEANINGS.values())) == len(MEANINGS)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_text_in_every_color_has_enough_contrast(palette):
    for color in (palette.ink, palette.muted, *palette.hues):
        assert contrast(color, palette.paper) >= 4.5, color


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_numbers_in_the_deepest_cell_of_a_grid_have_enough_contrast(palette):
    panel, edge = ("#f6f8fa", "#6e7781") if palette is LIGHT else ("#1b2129", "#7d8792")
    depth = int(re.search(r"var\(--p\) \* (\d+)%", part_style("grid"))[1]) / 100
    for color in (*palette.hues, edge):
        parts = (
            depth * int(color[i : i + 2], 16) + (1 - depth) * int(panel[i : i + 2], 16)
            for i in (1, 3, 5)
        )
        deepest = "#" + "".join(f"{round(part):02x}" for part in parts)
        assert contrast(palette.ink, deepest) >= 4.5, color


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colors, WCAG 2."""

    def luminance(color):
        parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
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


def test_the_site_gets_every_rule_of_every_sheet_once():
    each = [rule for sheet in SHEETS for rule in rules(sheet.read_text(encoding="utf-8"))]
    assert sorted(rules(site_style())) == sorted(each)
    assert "@import" not in site_style()


def test_the_base_comes_first_on_the_site():
    assert site_style().startswith(base_style())


@pytest.mark.parametrize("name", figure_names())
def test_a_figure_brings_every_rule_for_the_classes_of_its_script(name):
    script = (GALLERY / name / "figure.js").read_text(encoding="utf-8")
    mine = set(re.findall(r"hw-[a-z][\w-]*", script))
    own = rules(base_style() + figure_style(name))
    for rule in rules(site_style()):
        about = classes(rule.partition("{")[0]) - {"hw-figure"}
        assert not about or not about <= mine or rule in own


def test_a_live_figure_carries_less_than_half_of_all_rules():
    heaviest = max(figure_names(), key=lambda name: len(figure_style(name)))
    assert 2 * len(base_style() + figure_style(heaviest)) < len(site_style()), heaviest


def test_a_sheet_that_imports_what_is_not_there_is_named(tmp_path):
    sheet = tmp_path / "figure.css"
    sheet.write_text('@import "../nosuch.css";\n')
    with pytest.raises(ValueError, match=r"figure\.css imports nosuch\.css, which is not there"):
        joined(sheet)


def test_a_part_adds_its_own_rules_only():
    assert ".hw-claim" in part_style("claim")
    assert ".hw-claim" not in base_style()
