"""Right answers to assignment 07 that are written in other ways than the reference."""

VARIANTS = {
    "07-positions/wave": {},
    "07-positions/distance": {},
    "07-positions/parameters": {},
    "07-positions/sinusoids": {},
    "07-positions/rotation": {},
    "07-positions/bias": {},
    "07-positions/rotary": {},
    "07-positions/faulty-line": {},
    "07-positions/repair": {},
    "07-positions/first-of-two": {},
    "07-positions/look-back": {},
}
