/**
 * One hop of an SSH tunnel, `[user@]host[:port]`, and a whole tunnel in words. Refuses a hop that
 * ssh or its shell could take for something else: an option, a `%` code, a sign of the shell.
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

/** Null if it isn't a hop. */
export function sshHopIn(text: string): SshHop | null {
  const { user, address, host, port } = form.exec(text)?.groups ?? {};
  const name = address ?? host;
  if (name === undefined) return null;
  const number = port === undefined ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535)) return null;
  return { user: user ?? null, host: name, port: number };
}

/** Equal only for equal tunnels. */
export function tunnelText(tunnel: TunnelView): string {
  if (tunnel.kind === 'command') return `command ${tunnel.command}`;
  const { destination, jumps, keyFile } = tunnel;
  const through = jumps.length === 0 ? '' : ` through ${jumps.join(', ')}`;
  return `ssh ${destination}${through}${keyFile === null ? '' : `, key ${keyFile}`}`;
}
