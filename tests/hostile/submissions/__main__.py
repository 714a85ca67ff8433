"""Hand the hostile class in, in a new folder: `python -m tests.hostile.submissions FOLDER`."""

import sys
from pathlib import Path

from tests.hostile.submissions import CLASS
from tests.hostile.submissions.course import course_folder

folder = Path(sys.argv[1])
if folder.exists():
    sys.exit(f"{folder} is there already. Give a folder that is not.")
course_folder(folder, CLASS.values())
print(f"{len(CLASS)} submissions. Grade them: headway grade 01 --course {folder}")
