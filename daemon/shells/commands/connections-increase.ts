/**
 * The privilege increase in saving a connection (spec §11), checked beside the saved and the
 * removed ones.
 */

import type { Connection } from '../../access/connection.ts';
import { connectionIncrease } from '../../access/privilege-increases/connection-increase.ts';
import type { GivenSecrets } from '../../access/privilege-increases/credentials-increase.ts';
import { draftIncrease } from '../../access/privilege-increases/draft-increase.ts';
import type { PrivilegeIncrease } from '../../access/privilege-increases/increase-words.ts';
import { restorable } from '../../access/removed-connections.ts';
import type { CommandPorts } from '../ports.ts';
import { changeConnection } from './connection-change.ts';
import type { ConnectionSaveParams } from './connection-fields.ts';
import { type Held, shownWith } from './held-to.ts';

/** @param held what the files that are asked for say now, to be shown. */
export function saveIncrease(
  former: Connection | null,
  asked: ConnectionSaveParams,
  ports: CommandPorts,
  at: number,
  held?: Held,
): PrivilegeIncrease | null {
  const change = changeConnection(former, asked, 'new', at);
  if (change.kind === 'refused') return null;
  const next = shownWith(change.connection, held);
  const given = givenIn(asked);
  const writeRows = ports.settings.current()['writes.maxRows'];
  const inUse = ports.connections.list().map(connection => ({ connection, isRemoved: false, wasTakenAway: false }));
  const removed = restorable(ports.connections.removed(), ports.retentionNow()).map(({ connection, removedAt }) => ({
    connection,
    isRemoved: true,
    // While setting up a connection a person may remove and save it several times.
    wasTakenAway: removedAt - Date.parse(connection.createdAt) > settingUpMilliseconds,
  }));
  const samePlace = { others: [...inUse, ...removed], fileIdentity: ports.fileIdentity };
  return connectionIncrease(former, next, at, given, writeRows, samePlace);
}

/**
 * Looks at the files that {@link saveIncrease} compares; at `filePath` first.
 * @returns those whose file system doesn't answer.
 */
export function lookBeside(
  filePath: string,
  { connections, lookAtFiles }: Pick<CommandPorts, 'connections' | 'lookAtFiles'>,
): Promise<ReadonlySet<string>> {
  const removed = connections.removed().flatMap(({ connection }) => connection ?? []);
  return lookAtFiles([filePath, ...filesOf([...connections.list(), ...removed])]);
}

export function filesOf(connections: readonly Pick<Connection, 'filePath'>[]): readonly string[] {
  return connections.flatMap(({ filePath }) => filePath ?? []);
}

const settingUpMilliseconds = 600_000;

export function tryIncrease(
  former: Connection | null,
  asked: ConnectionSaveParams,
  at: number,
  held?: Held,
): PrivilegeIncrease | null {
  const change = changeConnection(former, asked, 'new', at);
  if (change.kind === 'refused') return null;
  return draftIncrease(former, shownWith(change.connection, held), givenIn(asked));
}

function givenIn({ password, tls, sshPassphrase, sshPassword }: ConnectionSaveParams): GivenSecrets {
  return {
    password: password?.kind === 'stored',
    keyPassphrase: tls?.keyPassphrase !== undefined,
    sshPassphrase: sshPassphrase !== undefined,
    sshPassword: sshPassword !== undefined,
  };
}
