"""Read the exports of learning platforms: gradebooks and lists of participants."""
