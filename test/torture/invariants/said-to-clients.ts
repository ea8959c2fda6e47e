/**
 * What AI clients were told is true: an acknowledged row is in its database once, a refused one
 * isn't, and each call has its rows in the log.
 */

import { executeOn, SqliteFile } from '../../sqlite-file.ts';
import { type EngineName, engineNames, type LedgerCall } from '../ledger.ts';
import type { World } from '../world.ts';
import type { LoggedRow } from './log.ts';

/**
 * Rows of reads are written within a second (spec §14): an answer of the last second may lack its
 * row.
 */
const looseMilliseconds = 2_000;

export interface ClientsTruth {
  readonly wrong: readonly string[];
  readonly acknowledged: number;
  readonly unknown: number;
  /** The unknown ones that took effect. */
  readonly tookEffect: number;
}

/**
 * @param rows of the log from these calls.
 * @param unrecordedFrom `performance.now()` when the log could no longer be written; infinite if it
 *   could.
 */
export async function clientsWereToldTheTruth(
  world: World,
  rows: readonly LoggedRow[],
  unrecordedFrom: number,
): Promise<ClientsTruth> {
  const { ledger } = world;
  const calls = ledger.calls.splice(0);
  const wrong = ledger.wrong.splice(0);
  const kept = new Map<EngineName, Map<string, number>>();
  for (const engine of engineNames) kept.set(engine, timesOf(await keysIn(world, engine)));
  const byHash = new Map<string, LoggedRow[]>();
  for (const row of rows) byHash.set(row.statementHash ?? '', [...(byHash.get(row.statementHash ?? '') ?? []), row]);
  let tookEffect = 0;
  for (const call of calls) {
    const times = kept.get(call.engine)?.get(call.key) ?? 0;
    kept.get(call.engine)?.delete(call.key);
    const logged = byHash.get(call.statementHash) ?? [];
    const problem =
      call.kind === 'write'
        ? writeProblem(call, times, logged, unrecordedFrom)
        : readProblem(call, logged, world.daemon.ends, unrecordedFrom - looseMilliseconds);
    if (problem !== null) wrong.push(`${call.client}, ${call.kind} on ${call.engine} (“${call.how}”): ${problem}`);
    if (call.kind === 'write' && call.outcome === 'unknown' && times > 0) tookEffect++;
  }
  for (const [engine, keys] of kept) if (keys.size > 0) wrong.push(`${keys.size} rows on ${engine} that nobody wrote`);
  await empty(world);
  const writes = calls.filter(({ kind }) => kind === 'write');
  const count = (outcome: LedgerCall['outcome']) => writes.filter(call => call.outcome === outcome).length;
  return { wrong, acknowledged: count('answered'), unknown: count('unknown'), tookEffect };
}

function writeProblem(
  { outcome, how, endedAt }: LedgerCall,
  times: number,
  logged: readonly LoggedRow[],
  unrecordedFrom: number,
): string | null {
  const isAttempted = logged.some(({ kind }) => kind === 'attempt');
  if (times > 1) return `its row is there ${times} times`;
  const later = logged.find(({ reason }) => reason?.startsWith('asked later'));
  if (later !== undefined && (later.outcome === 'success') !== (times === 1))
    return `its row is there ${times} times, and the log says "${later.reason}"`;
  if (times === 1 && !isAttempted) return 'its row is there, and the log has no attempt of it';
  if (outcome === 'refused') {
    if (times === 1) return 'it was refused, and its row is there';
    return null;
  }
  if (how === 'outcome_unknown' && !logged.some(row => row.outcome === 'unknown'))
    return 'the log does not say unknown';
  if (outcome !== 'answered') return null;
  if (times === 0) return 'it was acknowledged, and its row is not there';
  // The disk became full between its attempt and its answer (docs/reliability.md).
  if (endedAt > unrecordedFrom && isAttempted) return null;
  return logged.some(row => row.kind === 'outcome' && row.outcome === 'success')
    ? null
    : 'the log has no success of it';
}

/** @param ends of daemons, which lose rows that weren't written yet. */
function readProblem(
  { outcome, endedAt }: LedgerCall,
  logged: readonly LoggedRow[],
  ends: readonly number[],
  unrecordedFrom: number,
): string | null {
  const mayBeLost = endedAt > unrecordedFrom || ends.some(at => Math.abs(at - endedAt) < looseMilliseconds);
  if (outcome !== 'answered' || mayBeLost) return null;
  return logged.some(row => row.outcome === 'success') ? null : 'it was answered, and the log has no row of it';
}

function timesOf(keys: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

async function keysIn({ postgres, mariadb, sqliteFile }: World, engine: EngineName): Promise<readonly string[]> {
  if (engine === 'sqlite') {
    const file = new SqliteFile(sqliteFile);
    const keys = file.values('select k from kept') as string[];
    file.close();
    return keys;
  }
  const printed =
    engine === 'postgres'
      ? await postgres.psql('select k from kept', 'shop')
      : await mariadb.ask('select k from kept', 'shop');
  return printed.split('\n').filter(line => line !== '');
}

async function empty({ postgres, mariadb, sqliteFile }: World): Promise<void> {
  await postgres.psql('truncate kept', 'shop');
  await mariadb.client('truncate table kept', { database: 'shop' });
  executeOn(sqliteFile, 'delete from kept');
}
