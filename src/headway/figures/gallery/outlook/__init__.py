"""Drawings and figures of chapter 16."""
