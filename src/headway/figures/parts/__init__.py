"""What pages show beside figures: claims, chains of equivalences, questions."""
