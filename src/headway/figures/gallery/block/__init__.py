"""Drawings and figures of chapter 10."""
