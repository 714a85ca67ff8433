"""The machine that the whole course is about, drawn from one description in three layouts.

parts    what it consists of, and what each part does
layout   where the parts stand, side by side on a wide page and one below the other on a narrow one
svg      boxes, frames and wires as SVG
drawing  a whole drawing, whatever its boxes are
map      the whole machine, each part a link to its chapter
buttons  the whole machine, each part a button that opens its numbers in a live figure
here     the way through the machine in one line, lit where a chapter is
zooms    what goes on inside a part, step by step
zoom     the drawing of these steps
"""
