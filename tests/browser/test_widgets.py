"""Pages with widgets: the widget manager comes from the site itself."""

import pytest

from headway.book import build_book

from .conftest import serve

pytestmark = [pytest.mark.book, pytest.mark.browser]

CELLS = """\
# Widgets

```{code-cell}
import ipywidgets

ipywidgets.IntSlider(value=3, max=9, description="how many")
```

```{code-cell}
ipywidgets.Button(description="Go", icon="check")
```

```{code-cell}
import anywidget


class Hello(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.textContent = 'Hello from a widget'; } }"


Hello()
```
"""


def test_widgets_are_shown_without_another_host(small_book, notebook_front, visit):
    site = build_book(small_book(index=notebook_front + CELLS))
    with_server = serve(site)
    seen = visit(f"{next(with_server)}/book/index.html")
    page = seen.page
    page.locator(".widget-slider").wait_for()
    assert page.locator(".widget-readout").text_content() == "3"
    page.get_by_text("Hello from a widget", exact=True).wait_for()
    # The button's icon needs a font of the widget manager, which is asked for a moment later.
    page.locator("button.widget-button .fa-check").wait_for()
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.wait_for_load_state("networkidle")
    assert any(address.endswith(".woff2") for address in seen.bodies)
    with_server.close()
