"""Lays out a new chapter: all its files, with a mark at each place that is to be written.

    tools/new-chapter 5 tokens --title "From text to tokens" --build merge encode decode

The files in `templates/` become the chapter's, and the table of chapters and the table of contents
get a row. What is laid out can be imported, released and built. Wherever it says TO WRITE, or a
name begins with to-write, something is missing, and a test says what. Nothing is overwritten.

It needs no package but Python itself.
"""
