/**
 * Node's option that leaves its debugger no address to listen on, for starting our own Node
 * processes. SIGUSR1 opens the debugger, and may come before our first line (debugger-shut.ts). The
 * address is one for examples (RFC 5737), so no machine has it. Node's `--disable-sigusr1` isn't
 * enough: NODE_OPTIONS can still open the debugger. bridge/packaging/first-file.sh reads this
 * option for the first line of our commands.
 */
export const noDebugger = '--inspect-port=192.0.2.1:9229';
