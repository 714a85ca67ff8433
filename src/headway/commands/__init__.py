"""The commands of `headway`, one module each; `headway.cli` is the front door."""
