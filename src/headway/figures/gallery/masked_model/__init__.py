"""Drawings and figures of chapter 12."""
