/**
 * One hop of an SSH tunnel as people write it, `[user@]host[:port]`, and a whole tunnel in words.
 * What ssh or a shell that it starts could take for something else (an option, a `%` of its own, a
 * sign of the shell's) is no hop.
 */

import type { TunnelView } from './control-commands.ts';

export interface SshHop {
  readonly user: string | null;
  /** Without the brackets of an address. */
  readonly host: string;
  readonly port: number | null;
}

export const mostSshJumps = 8;

const form =
  /^(?:(?<user>\w[\w.+@-]{0,63})@)?(?:\[(?<address>[0-9a-f:.]{2,45})\]|(?<host>\w[\w.-]{0,252}))(?::(?<port>\d{1,5}))?$/i;

/** Null for what is none. */
export function sshHopIn(text: string): SshHop | null {
  const { user, address, host, port } = form.exec(text)?.groups ?? {};
  const name = address ?? host;
  if (name === undefined) return null;
  const number = port === undefined ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535)) return null;
  return { user: user ?? null, host: name, port: number };
}

/** Equal for equal tunnels alone. */
export function tunnelText(tunnel: TunnelView): string {
  if (tunnel.kind === 'command') return `command ${tunnel.command}`;
  const { destination, jumps, keyFile } = tunnel;
  const through = jumps.length === 0 ? '' : ` through ${jumps.join(', ')}`;
  return `ssh ${destination}${through}${keyFile === null ? '' : `, key ${keyFile}`}`;
}
