/**
 * What a connection or a token allows, for the activity log's rows (spec §14): in a few words, and
 * as a state, a hash of all that the words leave out. Of two records with the same of both each
 * allows what the other does.
 */

import { createHash } from 'node:crypto';
import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../connection.ts';
import type { TokenRecord } from '../tokens/token.ts';

export interface Standing {
  readonly words: string;
  /** 16 hexadecimal digits. Where a connection leads, and how it is dialled, stands in no row. */
  readonly state: string;
}

/** From the least on. */
const levelWords = {
  blocked: 'clients see nothing of it',
  readOnly: 'clients may only read',
  readWrite: 'clients may read and write',
} as const;

export function standingOfConnection(connection: Connection): Standing {
  const { level, writeUntil } = connection.externalClients;
  const end = level === 'readWrite' && writeUntil !== null ? ` until ${writeUntil}` : '';
  return {
    words: `${levelWords[level]}${end}, AI policy ${connection.aiPolicy}`,
    // What only sorts and shows it is left out, and its revision, which each password counts up.
    state: stateOf([
      ...[connection.name, connection.engine, connection.host, connection.port, connection.socketPath],
      ...[connection.filePath, connection.database, connection.databases, connection.user, connection.targetServers],
      ...[connection.tls.mode, connection.tls.caFile, connection.tls.clientCertificate?.certificateFile],
      ...[connection.tls.clientCertificate?.keyFile, connection.password.kind],
      connection.password.kind === 'command' ? connection.password.command : null,
      connection.writeRowLimit,
      // Records of before there were tunnels keep their state.
      ...(connection.tunnel === undefined ? [] : [tunnelText(connection.tunnel)]),
    ]),
  };
}

/**
 * Whether it was revoked isn't part of it: that is kept twice, and either is believed (spec §5).
 */
export function standingOfToken(token: TokenRecord): Standing {
  const { scope, connections, confirmInClient, expiresAt } = token;
  const reach = connections === 'all' ? connections : connections.length;
  const end = expiresAt === null ? 'never expires' : `until ${expiresAt}`;
  const answers = confirmInClient ? ', may answer through its client' : '';
  return {
    words: `${scope}${answers}, connections: ${reach}, ${end}`,
    state: stateOf([token.name, token.hash, connections, token.createdAt]),
  };
}

/**
 * As the reason of a removal: brought back at rest, a connection is one that the log doesn't know.
 */
export const removedStanding = 'removed (state 0000000000000000)';

/** As the end of a row's reason. */
export function standingText({ words, state }: Standing): string {
  return `${words} (state ${state})`;
}

/** What a reason ends with; null where it says nothing of it, as those of earlier versions. */
export function standingIn(reason: string | null): Standing | null {
  const [, before = '', state] = /^(.*) \(state ([0-9a-f]{16})\)$/s.exec(reason ?? '') ?? [];
  return state === undefined ? null : { words: before.slice(before.lastIndexOf('; ') + 1).trimStart(), state };
}

/** Whether it allows nothing that what was recorded doesn't. */
export function isNoMore(standing: Standing, recorded: Standing): boolean {
  if (standing.state !== recorded.state) return false;
  if (standing.words === recorded.words) return true;
  const [level, policy] = partsOf(standing.words);
  const [recordedLevel, recordedPolicy] = partsOf(recorded.words);
  return level >= 0 && level < recordedLevel && policy === recordedPolicy;
}

function partsOf(words: string): readonly [level: number, policy: string | undefined] {
  const level = Object.values(levelWords).findIndex(each => words.startsWith(each));
  return [level, words.split(', AI policy ')[1]];
}

function stateOf(fields: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fields.map(field => field ?? null)))
    .digest('hex')
    .slice(0, 16);
}
