"""The book's Sphinx extensions, one concept a module.

address     where the site and its repository are published
vendor      what pages load from other packages, copied into the site
shell       the frame around each page: what it loads, and the dark without scripts
navigation  the parts and the page's sections, beside each page
formulas    set when the book is built
offline     nothing else is loaded: no request leaves the reader's machine
freshness   a page runs again when the code it imports has changed
ahead       pages run two at a time
predict     "Predict first" folds
guess       a guess that the reader gives, in a form
covered_output  the output that answers a prediction, covered until one has guessed
side_road   sections that are folded where they branch off
elsewhere   "What you may read elsewhere", and the page with all claims and corrections
assignment  the card that leads from a chapter to its assignment
notebooks   each page as a notebook to download
launch      pages and assignments opened with a click, on Binder and elsewhere
menu        all pages are written anew when the menu changes
reading     how long a page takes to read
glossary    each term lists the pages that use it
figures     scripts and styles of the interactive figures
attached    what is attached to a figure, as a file of the site
figure_from a figure that another page computes
pictures    the pictures of a story: an address, links and files for each
reference   the API reference, from the table of chapters
machine     the drawn machine: the map, and a strip at the head of each chapter
syllabus    the weeks of the course, with their times
chain       the list of the chapters that are written
accessible  repairs in the HTML of others
sharing     how a page is announced where somebody shares its address
editions    links to the PDF and the EPUB, where they are made
plain_code  code without marks that nobody sees
one_file    one file that grows from page to page, and runs after each
"""

import os

PARTS = (
    "address",
    "vendor",
    "shell",
    "navigation",
    "formulas",
    "offline",
    "freshness",
    "ahead",
    "predict",
    "covered_output",
    "side_road",
    "elsewhere",
    "assignment",
    "notebooks",
    "launch",
    "menu",
    "reading",
    "glossary",
    "figures",
    "attached",
    "figure_from",
    "pictures",
    "reference",
    "machine",
    "syllabus",
    "chain",
    "accessible",
    "sharing",
    "editions",
    "plain_code",
    "one_file",
)


def setup(app):
    # Kernels inherit it: figures then give HTML for the page and create no widgets.
    os.environ["HEADWAY_BOOK"] = "1"
    for part in PARTS:
        app.setup_extension(f"{__name__}.{part}")
    return {"parallel_read_safe": False, "parallel_write_safe": False, "version": "1"}
