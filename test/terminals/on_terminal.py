"""Runs a command on a pseudo-terminal of its own, as `script -qfec` of Linux does; on-terminal.mjs says what for.

Usage: on_terminal.py COMMAND [ARGUMENT…]
"""
import os, pty, select, sys

END_OF_TEXT = b'\x04'


def write(place, text):
    while text: text = text[os.write(place, text):]


child, terminal = pty.fork()
if child == 0:
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    finally:
        os._exit(127)
open_ends, ended = [terminal, 0], None
while True:
    ready = select.select(open_ends, [], [], 0.05)[0]
    if 0 in ready:
        typed = os.read(0, 4096)
        if not typed: open_ends.remove(0)
        write(terminal, typed or END_OF_TEXT)
    if terminal in ready:
        # At its end Linux reports an error, macOS an empty text.
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            shown = b''
        if not shown: break
        write(1, shown)
    # What it has started may keep the terminal open.
    elif ended is not None: break
    if ended is None:
        gone, status = os.waitpid(child, os.WNOHANG)
        if gone: ended = status
if ended is None: ended = os.waitpid(child, 0)[1]
sys.exit(os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else 128 + os.WTERMSIG(ended))
