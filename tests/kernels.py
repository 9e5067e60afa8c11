"""Let the kernels that nbval starts talk over socket files instead of ports: `pytest -p tests.kernels`.

A port that is free when it is chosen may be taken when the kernel binds it half a second later; the
kernel then ends, and with it every cell of its lesson. A socket file has a name of its own. Windows
keeps the ports.
"""

import os
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import nbval.kernel
from jupyter_client.manager import KernelManager

FOLDER = TemporaryDirectory(prefix="kernels")  # gone with this process; its name is short, as those of sockets must be
NUMBERS = count()


def manager(**named):
    """A kernel manager whose channels are files of their own: `0-1`, `0-2` and so on for the first kernel."""
    return KernelManager(transport="ipc", ip=str(Path(FOLDER.name, str(next(NUMBERS)))), **named)


if os.name == "posix":
    nbval.kernel.KernelManager = manager
