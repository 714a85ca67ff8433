"""Drawings and figures of chapter 8."""
