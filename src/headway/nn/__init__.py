"""The parts of a Transformer: embeddings, positions, masks, attention, blocks."""
