"""Drawings and figures of chapter 9."""
