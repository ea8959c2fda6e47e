/** The accounts that servers run as, since they refuse to start as root. */

import { readFileSync } from 'node:fs';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * @returns the first existing one of these accounts if root runs the tests; null for the account
 *   that runs them.
 */
export function accountFor(names: readonly string[]): Account | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of names) {
    const entry = entries.find(line => line.startsWith(`${wanted}:`));
    if (entry === undefined) continue;
    const [name = '', , uid, gid] = entry.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`None of these accounts is there to run a server: ${names.join(', ')}.`);
}
