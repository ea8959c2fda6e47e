/** The account of this process's user, also of a user without one: `docker run --user 12345`. */

import { homedir, userInfo } from 'node:os';

export interface Account {
  readonly home: string;
  /** Null for a user without an account. */
  readonly name: string | null;
  readonly shell: string;
  readonly uid: number;
}

export function account(): Account {
  try {
    const { homedir: home, username: name, shell, uid } = userInfo();
    return { home, name, shell: shell || '/bin/sh', uid };
  } catch {
    // A container's user without an account entry has only its environment.
    return { home: homedir(), name: null, shell: '/bin/sh', uid: process.getuid?.() ?? -1 };
  }
}
