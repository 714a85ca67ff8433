"""Text as tokens: vocabularies, tokenizers, counts, and texts to train on."""
