"""What every figure shares: frame, pictures, plots, style, and how scripts reach a page."""
