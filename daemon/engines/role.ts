/**
 * A login role with just the rights of a connection's level, as SQL that a person can read and run.
 * Runs nothing.
 */

import { createHash } from 'node:crypto';
import { shellWord } from '../../shared/client-configs.ts';
import type { Connection } from '../access/connection.ts';
import { levelNow } from '../access/effective-access.ts';
import type { DatabaseFailure, PlannedRole, RoleAccess } from './engine.ts';

/**
 * A server's error may quote our statement, which holds a password or its hash.
 * @param quote matches such a quote.
 */
export function withoutStatement(failure: DatabaseFailure, quote: RegExp): DatabaseFailure {
  if (failure.kind === 'outcome_unknown' && quote.test(failure.reason)) return { ...failure, reason: 'it failed' };
  if (!('message' in failure)) return failure;
  const said = 'said' in failure ? failure.said : undefined;
  if (!quote.test(`${failure.message} ${said ?? ''}`)) return failure;
  const message = 'the server does not take the statement';
  return { ...failure, message, ...(said !== undefined && { said: message }) };
}

/** What the level needs at this moment. */
export function accessOf(connection: Connection, nowMilliseconds: number): RoleAccess {
  return levelNow(connection, nowMilliseconds) === 'readWrite' ? 'readWrite' : 'readOnly';
}

/** MySQL has the shortest user names: 32 characters. */
const longestName = 32;

/**
 * `sallyport_ro_shop`: letters, digits and underscores, which need quotes on no server and in no
 * shell.
 */
export function fittingRoleName(connectionName: string, access: RoleAccess): string {
  const fitting = connectionName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_');
  const name = `${access === 'readOnly' ? 'sallyport_ro' : 'sallyport_rw'}_${fitting}`;
  return name.replace(/_+/g, '_').slice(0, longestName).replace(/_$/, '');
}

/**
 * One sentence for wherever a connection is shown; null if its role can do no more than its level
 * needs.
 */
export function roleAdvice(
  connection: Connection,
  nowMilliseconds: number,
  { warnings, mayWrite }: { readonly warnings: readonly string[]; readonly mayWrite: boolean },
): string | null {
  const command = `\`sallyport connections role ${shellWord(connection.name)}\``;
  if (warnings.length > 0) return `${command} prints the SQL for a role with only the rights that its level needs.`;
  if (!mayWrite || accessOf(connection, nowMilliseconds) === 'readWrite') return null;
  return `This connection only reads, but its role may write: ${command} prints the SQL of one that can't.`;
}

/** Identifies a plan: what runs is what was approved, at the place that it was approved for. */
export function planDigest(
  { id, revision }: Pick<Connection, 'id' | 'revision'>,
  { steps, notes }: Pick<PlannedRole, 'steps' | 'notes'>,
): string {
  const text = JSON.stringify([id, revision, steps, notes]);
  return createHash('sha256').update(text).digest('hex');
}
