"""The style sheets of the editions: the figures', the site's colors of code, and their own."""

import re
from pathlib import Path

from headway.figures.core.styles import site_style

HERE = Path(__file__).parent
LIGHT_CODE = re.compile(r'^html\[data-theme="light"\] (.*)$', re.MULTILINE)
FONTS = {
    "Headway Serif": ("STIXGeneral", "STIXGeneralBol", "STIXGeneralItalic", "STIXGeneralBolIta"),
    "Headway Sans": (
        *("DejaVuSans", "DejaVuSans-Bold"),
        *("DejaVuSans-Oblique", "DejaVuSans-BoldOblique"),
    ),
    "Headway Mono": (
        *("DejaVuSansMono", "DejaVuSansMono-Bold"),
        *("DejaVuSansMono-Oblique", "DejaVuSansMono-BoldOblique"),
    ),
}
CUTS = (("normal", "normal"), ("bold", "normal"), ("normal", "italic"), ("bold", "italic"))


def font_faces() -> str:
    """The fonts that matplotlib brings, so that paper looks the same wherever it is made."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {slope}; '
        f'src: url("{(folder / name).with_suffix(".ttf").as_uri()}"); }}'
        for family, names in FONTS.items()
        for name, (weight, slope) in zip(names, CUTS, strict=True)
    )


def style_of(site: Path, edition: str) -> str:
    """The sheet of an edition, "paper" or "reader"."""
    code = site / "_static" / "pygments.css"
    colors = LIGHT_CODE.findall(code.read_text("utf-8")) if code.is_file() else []
    own = [(HERE / f"{name}.css").read_text("utf-8") for name in ("book", edition)]
    return "\n".join([site_style(), *colors, *own])
