"""Drawings of chapter 19."""
