"""Texts to train on: seeded grammars whose structure is known, and real English.

Everything gives plain sequences: of texts, or of named tuples that hold texts. Nothing is
downloaded, and the same seed gives the same bytes on every platform.

- `grammar`: what a weighted grammar is; samples, and the exact probability of every sentence.
- `commands`: *show me my files please*, and agreement across many words.
- `translation`: English–French pairs. `sentiment`: reviews.
- `standard_library`: the docstrings that every Python has.
- `drawn_language`: stories in a language that nobody has read, and what each byte must cost.
- `split`: chance, and parts that share no sentence.
"""
