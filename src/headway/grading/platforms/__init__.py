"""What learning platforms export, read: their gradebooks and their lists of participants."""
