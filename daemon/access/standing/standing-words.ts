/**
 * What a connection or token allows, for the activity log (spec §14): a few words, and a state,
 * which is a hash of everything that the words leave out. Two records with the same words and state
 * allow the same.
 */

import { createHash } from 'node:crypto';
import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { Connection } from '../connection.ts';
import type { TokenRecord } from '../tokens/token.ts';

export interface Standing {
  readonly words: string;
  /** 16 hexadecimal digits. No row says where a connection leads or how it is dialled. */
  readonly state: string;
}

/** From least to most. */
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
    // Without what only sorts or shows it, and without its revision, which each new password
    // increases.
    state: stateOf([
      connection.name,
      connection.engine,
      connection.host,
      connection.port,
      connection.socketPath,
      connection.filePath,
      connection.database,
      connection.databases,
      connection.user,
      connection.targetServers,
      connection.tls.mode,
      connection.tls.caFile,
      connection.tls.caFileDigest,
      connection.tls.clientCertificate?.certificateFile,
      connection.tls.clientCertificate?.keyFile,
      connection.password.kind,
      connection.password.kind === 'command' ? connection.password.command : null,
      connection.writeRowLimit,
      connection.tunnel === undefined ? null : tunnelText(connection.tunnel),
      connection.identity,
      connection.signInMethods,
      connection.walls,
    ]),
  };
}

/** Revocation isn't part of it: that is stored twice, and either place counts (spec §5). */
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
 * The reason in a removal's row: a connection that comes back in a stopped store is unknown to the
 * log.
 */
export const removedStanding = 'removed (state 0000000000000000)';

/** The end of a row's reason. */
export function standingText({ words, state }: Standing): string {
  return `${words} (state ${state})`;
}

/** Parses the end of a reason; null if it states nothing. */
export function standingIn(reason: string | null): Standing | null {
  const [, before = '', state] = /^(.*) \(state ([0-9a-f]{16})\)$/s.exec(reason ?? '') ?? [];
  return state === undefined ? null : { words: before.slice(before.lastIndexOf('; ') + 1).trimStart(), state };
}

/** True if it allows nothing beyond what was recorded. */
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
