"""Writing with a model: decoding, filters, beams, KV caches, and what they cost."""
