"""Collect submissions from what Canvas and Moodle give for download: `headway class collect`."""
