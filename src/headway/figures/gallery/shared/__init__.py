"""What figures of several chapters are made of, and figures that several of them show."""
