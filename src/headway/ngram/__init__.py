"""Prediction by counting: Markov chains, skip-bigrams and masks, the soft lookup."""
