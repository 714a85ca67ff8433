"""The book as one PDF and as an EPUB, from the pages of the built site.

    site ── read_book ──> pages ── still ──> pages without controls ──> print (PDF)
                                                                   └──> package (EPUB)

What moves or asks on the site stands still here: figures are their static pictures, the answers
to predictions are collected at the end, and links lead to pages of paper or of the EPUB.
"""
