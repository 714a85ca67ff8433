"""What pages show beside figures: claims, tables, chains of equivalences, questions."""
