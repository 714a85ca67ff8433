"""nbgrader's configuration of this course: where its folders are, and the course's settings."""

from headway.chapters import references
from headway.grading.settings import configure

config = get_config()  # noqa: F821 - given to this file by nbgrader
configure(config, references())
config.CourseDirectory.source_directory = "solutions"
config.CourseDirectory.release_directory = "exercises"
