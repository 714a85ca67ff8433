"""Limits of a sandbox that bubblewrap cannot set, set from outside before a student's code runs.

A process that is not in the sandbox enters its namespaces and changes them. It has the rights for
that because the sandbox belongs to its user; nothing inside has them, so nothing can undo it.
"""

import fcntl
import os
import subprocess
from contextlib import ExitStack

from headway.grading.sandbox.bubblewrap import AS_NOBODY, is_root
from headway.grading.sandbox.limits import Limits
from headway.grading.sandbox.mounts import PRIVATE_FOLDERS

OWNER = 0xB701  # ioctl_nsfs(2): NS_GET_USERNS
TERMINALS = 16  # at a time in a sandbox; all sandboxes of a machine share some 3,000
SECONDS = 20
# A sandbox may create no namespace: a second barrier behind the seccomp filter.
# Connections that nobody accepted and messages that nobody read take memory that no process is
# charged for, so the queues are short. So is the memory of a TCP connection: minimum, default and
# maximum; the kernel's default maximum is many megabytes.
# In the end /proc is read-only and shows only processes, no files about the machine.
SCRIPT = """
set -e
mount -o remount,rw /proc
for kind in cgroup ipc mnt net pid time user uts; do
    echo 0 >/proc/sys/user/max_${kind}_namespaces
done
echo 1 >/proc/sys/net/core/somaxconn
echo 1 >/proc/sys/net/unix/max_dgram_qlen
echo 4096 16384 65536 >/proc/sys/net/ipv4/tcp_wmem
echo 4096 65536 65536 >/proc/sys/net/ipv4/tcp_rmem
files=$1 terminals=$2
shift 2
for folder; do mount -o remount,nr_inodes="$files" "$folder"; done
mount -o remount,max="$terminals",ptmxmode=0666,mode=620 /dev/pts
mount -o remount,ro,subset=pid /proc
"""


def harden(pid: int, limits: Limits) -> None:
    """Set the limits of a sandbox.

    Args:
        pid: its first process, seen from outside.

    Raises:
        OSError: if the kernel refuses; the message has its reason.
    """
    with ExitStack() as stack:
        numbers = []
        for kind in ("net", "mnt"):
            numbers.append(os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY))
            stack.callback(os.close, numbers[-1])
        numbers.append(fcntl.ioctl(numbers[0], OWNER))
        stack.callback(os.close, numbers[-1])
        network, mounts, owner = (f"/proc/self/fd/{number}" for number in numbers)
        enter = [*(AS_NOBODY if is_root() else ()), "/usr/bin/nsenter", "--preserve-credentials"]
        enter += [f"--user={owner}", f"--net={network}", f"--mount={mounts}", "--"]
        values = [str(limits.files), str(TERMINALS), *PRIVATE_FOLDERS]
        try:
            done = subprocess.run(
                [*enter, "/bin/sh", "-c", SCRIPT, "sh", *values],
                pass_fds=numbers,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            )
        except subprocess.TimeoutExpired as error:
            raise OSError(f"its limits are not set after {SECONDS} s") from error
    if done.returncode:
        raise OSError(f"its limits cannot be set: {done.stderr.strip()}")
