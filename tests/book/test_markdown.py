"""MyST turned into what JupyterLab shows."""

from functools import partial

import pytest

PAGE = "https://example.org/book/01-one-hot.html"


@pytest.fixture
def plain():
    from headway_book.markdown import plain_markdown

    def role_text(role, target, title):
        return title or {"math": f"${target}$"}.get(role, target)

    return partial(
        plain_markdown, page_url=PAGE, role_text=role_text, titles={"02-markov": "Chains"}
    )


@pytest.mark.parametrize(
    ("myst", "expected"),
    [
        ("A {term}`one-hot vector`.", "A one-hot vector."),
        ("Two {term}`vectors <one-hot vector>`.", "Two vectors."),
        ("Code `{term}`x`` stays.", "Code `{term}`x`` stays."),
        ("{math}`x^2` and `code`", "$x^2$ and `code`"),
        ("(label)=\n## Title", "## Title"),
        ("See [](02-markov.md).", "See [Chains](https://example.org/book/02-markov.html)."),
        ("See [it](02-markov.md#top).", "See [it](https://example.org/book/02-markov.html#top)."),
        ("See [below](#your-turn).", f"See [below]({PAGE}#your-turn)."),
        ("```{math}\n:label: eq\na_i\n```", "$$\na_i\n$$"),
        ("```python\nx = 1\n```", "```python\nx = 1\n```"),
        (":::{note}\nMind this.\n:::", "> **Note**\n>\n> Mind this."),
        (":::{admonition} Why?\nSo.\n:::", "> **Why?**\n>\n> So."),
        (":::{side-road}\nWhat it costs.\n:::", "*Side road:* What it costs."),
        (":::{elsewhere}\n- A.\n:::", "**What you may read elsewhere**\n\n- A."),
        ("% a comment\nText", "Text"),
        (
            "::::{note}\n:::{note}\nMind {term}`this`.\n:::\n::::",
            "> **Note**\n>\n> > **Note**\n> >\n> > Mind this.",
        ),
        (
            ":::{machine} mask\nFollow the {term}`mask`.\n:::",
            f"Follow the mask.\n\nThe drawing: [on the chapter’s page]({PAGE}).",
        ),
    ],
)
def test_each_construct_has_a_plain_form(plain, myst, expected):
    assert plain(myst) == expected


def test_without_an_address_of_the_page_links_to_it_are_text(plain):
    text = "See [](02-markov.md), [below](#your-turn) and [this](https://example.org/x)."
    assert plain(text, page_url="") == "See Chains, below and [this](https://example.org/x)."
    assert "](" not in plain(":::{assignment}\n:::", page_url="")


def test_a_fold_becomes_details_with_a_question_in_html(plain):
    got = plain(":::{predict} What is `x` of $a_i b_i$ & {term}`y`?\nThe **answer**.\n:::")
    question = "<b>Predict first:</b> What is <code>x</code> of $a_i b_i$ &amp; y?"
    got = got.replace('<span class="math inline">', "").replace("</span>", "")
    assert f"<summary>{question}</summary>\n\nThe **answer**.\n\n</details>" in got


def test_the_assignment_leads_to_the_page(plain):
    assert PAGE in plain(":::{assignment}\n:::")
