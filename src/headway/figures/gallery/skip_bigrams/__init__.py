"""Drawings and figures of chapter 3."""
