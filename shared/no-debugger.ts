/**
 * Node's option that leaves its debugger nowhere to listen, for who starts a Node of ours: SIGUSR1
 * opens it, and may come before our first line (debugger-shut.ts). The address is one for examples
 * (RFC 5737), which no machine has. Node's own `--disable-sigusr1` doesn't keep NODE_OPTIONS from
 * opening it. bridge/packaging/first-file.sh reads it for the first line of our commands.
 */
export const noDebugger = '--inspect-port=192.0.2.1:9229';
