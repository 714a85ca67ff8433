"""nbgrader's configuration of this course: where its folders are, and the course's settings."""

from headway.chapters import hidden_modules
from headway.grading.settings import configure

config = get_config()  # noqa: F821 - given to this file by nbgrader
configure(config, hidden_modules())
config.CourseDirectory.source_directory = "solutions"
config.CourseDirectory.release_directory = "exercises"
