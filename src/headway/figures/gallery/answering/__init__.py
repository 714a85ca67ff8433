"""Drawings of chapter 17."""
