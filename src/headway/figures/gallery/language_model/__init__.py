"""Drawings and figures of chapter 11."""
