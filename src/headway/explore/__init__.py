"""`headway explore`: a page on this machine that looks into a language model while it reads."""
