"""Mounts a folder where no file ever answers, until it is killed: hanging-folder.py FOLDER

It speaks the kernel's FUSE protocol as far as the greeting. Needs root and /dev/fuse.
"""

import ctypes
import os
import signal
import struct
import sys

GREETING = 26

folder = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
device = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
if libc.mount(b"hanging", folder.encode(), b"fuse", 0, options.encode()) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
print("mounted", flush=True)
request = os.read(device, 1 << 20)
_, operation, unique = struct.unpack_from("<IIQ", request)
assert operation == GREETING
(read_ahead,) = struct.unpack_from("<I", request, 48)
body = struct.pack("<IIIIHHII", 7, 31, read_ahead, 0, 12, 9, 1 << 16, 1).ljust(64, b"\0")
os.write(device, struct.pack("<IiQ", 16 + len(body), 0, unique) + body)
# Who waits for what was never read can still be killed.
signal.pause()
