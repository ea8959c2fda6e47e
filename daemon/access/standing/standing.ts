/**
 * What a connection or token allows, as values that the activity log keeps (spec §14): its level,
 * until when, its AI policy, and a digest of everything else. Compares two of them; words nothing.
 */

import { createHash } from 'node:crypto';
import { tunnelText } from '../../../shared/ssh-hop.ts';
import type { AiPolicy, Connection } from '../connection.ts';
import { untilMilliseconds } from '../effective-access.ts';
import { policyRank } from '../privilege-increases/client-use.ts';
import type { TokenRecord } from '../tokens/token.ts';

/** From least to most: a connection's levels and a token's scopes. `none` is no standing at all. */
export const standingLevels = ['none', 'blocked', 'readOnly', 'readWrite', 'fullAccess'] as const;

export interface Standing {
  readonly level: (typeof standingLevels)[number];
  /** ISO 8601: the end of a connection's writing, or of a token; null if it has none. */
  readonly until: string | null;
  /** Null for a token. */
  readonly policy: AiPolicy | null;
  /** 16 hexadecimal digits. No row says where a connection leads or how it is dialled. */
  readonly digest: string;
}

/** What was removed has it, and what never was: any other standing allows more. */
export const noStanding: Standing = { level: 'none', until: null, policy: null, digest: '' };

export function standingOfConnection(connection: Connection): Standing {
  const { level, writeUntil } = connection.externalClients;
  return {
    level,
    until: level === 'readWrite' ? writeUntil : null,
    policy: connection.aiPolicy,
    // Without what only sorts or shows it, and without its revision, which each new password
    // increases.
    digest: digestOf([
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
      connection.sshConfigurationDigest,
      connection.identity,
      connection.signInMethods,
      connection.walls,
      connection.sight,
      connection.masks,
    ]),
  };
}

/** Revocation isn't part of it: that is stored twice, and either place counts (spec §5). */
export function standingOfToken(token: TokenRecord): Standing {
  return {
    level: token.scope,
    until: token.expiresAt,
    policy: null,
    digest: digestOf([token.name, token.hash, token.connections, token.confirmInClient, token.createdAt]),
  };
}

/** True if it allows nothing beyond what was recorded. */
export function isNoMore(standing: Standing, recorded: Standing): boolean {
  // A connection that may not write has no end.
  const hasNoEnd = standing.policy !== null && standing.level !== 'readWrite';
  return (
    standing.digest === recorded.digest &&
    standingLevels.indexOf(standing.level) <= standingLevels.indexOf(recorded.level) &&
    isPolicyNoMore(standing.policy, recorded.policy) &&
    (hasNoEnd || untilMilliseconds(standing.until) <= untilMilliseconds(recorded.until))
  );
}

function isPolicyNoMore(policy: AiPolicy | null, recorded: AiPolicy | null): boolean {
  if (policy === null || recorded === null) return policy === recorded;
  return policyRank(policy) <= policyRank(recorded);
}

function digestOf(fields: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fields.map(field => field ?? null)))
    .digest('hex')
    .slice(0, 16);
}
