/** A saved connection as shells see it: every field but the password, and what its level comes to now. */

import type { ConnectionView } from '../../../shared/control-commands.ts';
import type { Connection } from '../../access/connection.ts';
import { mayHoldPassword } from '../../access/credential-forms.ts';
import { levelNow } from '../../access/effective-access.ts';

export function connectionView(connection: Connection, nowMilliseconds: number): ConnectionView {
  const { externalClients, password, ...shown } = connection;
  return {
    ...shown,
    // Rebuilt from its known members, so that nothing a later source of passwords carries can slip through.
    password: password.kind === 'command' ? { kind: 'command', command: password.command } : { kind: password.kind },
    externalClients: { ...externalClients, now: levelNow(connection, nowMilliseconds) },
  };
}

export function unknownConnection(asked: string): string {
  return `There is no connection ${named(asked)}; \`sallyport connections list\` shows those there are.`;
}

/** As it was asked for, unless a password may stand in it. */
export function named(asked: string): string {
  return mayHoldPassword(asked) ? 'of that name' : JSON.stringify(asked);
}
