"""The commands of `headway`, one module each; `headway.cli` reads their arguments."""
