"""Read what learning platforms give: gradebooks, lists of participants, and names in archives."""
