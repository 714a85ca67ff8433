"""Drawings and figures of chapter 7."""
