"""The tasks of each assignment, one module or package a chapter; `engine.find` imports them."""
