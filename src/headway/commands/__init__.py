"""The commands of `headway`, one module each; `headway.cli` makes one program of them."""
