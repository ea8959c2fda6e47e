/** The account of this process's user, also of a user without one: `docker run --user 12345`. */

import { userInfo } from 'node:os';

export interface Account {
  readonly home: string;
  /** Null for a user without an account. */
  readonly name: string | null;
  readonly shell: string;
  readonly uid: number;
}

/** Where this process's user keeps files: HOME, as shells and ssh's own tools take it. */
export function userHome(): string {
  return process.env.HOME || account().home;
}

export function account(): Account {
  try {
    const { homedir: home, username: name, shell, uid } = userInfo();
    return { home, name, shell: shell || '/bin/sh', uid };
  } catch {
    // A container's user without an account entry has only its environment; without HOME Docker
    // takes the root, too.
    return { home: process.env.HOME || '/', name: null, shell: '/bin/sh', uid: process.getuid?.() ?? -1 };
  }
}
