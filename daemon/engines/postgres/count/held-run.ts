/**
 * Holds a run on PostgreSQL to what was shown: whole tables are locked, counted and compared before
 * the statement takes them. Afterwards the changed rows and missing tables are compared once more.
 */

import { withOperatorsQualified } from '../../../guard/postgres/lookup-parts.ts';
import type { PostgresTaking } from '../../../guard/postgres/taking.ts';
import { valueOrThrow } from '../../answering.ts';
import {
  type CountRequest,
  changesAreShown,
  definesWhatIsShown,
  type Excess,
  notCommitted,
  type RunGuard,
} from '../../count/count-request.ts';
import { countWhole } from '../../count/count-whole.ts';
import { mostRows, notCounted, type Taken } from '../../count/taken.ts';
import type { Answer, AskWithin, DatabaseFailure } from '../../engine.ts';
import { countOf, takenTable, withoutObjects } from '../count.ts';
import { type TakenCatalog, type TakenRelation, takenQuestion } from './catalog.ts';

/** Call it within `answering`. */
export async function holdRun(counting: CountRequest, shown: Taken, excess: Excess): Promise<RunGuard> {
  const { classifier, context, sql } = counting;
  // Null if it takes nothing as a whole.
  const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
  if (counting.classified.classification.needsOwnSession) return {};
  if (counting.classified.run?.defines !== undefined && counting.classified.classification.class === 'write') {
    return { mayCommit: changesAreShown(counting, excess), mayDefine: definesWhatIsShown(shown, excess) };
  }
  const rowsAreShown = changesAreShown(counting, excess);
  if (taking === null || taking.act === 'rows') return { mayCommit: rowsAreShown };
  const isWhole = taking.act === 'truncate' || taking.act === 'drop';
  let known: readonly number[] = [];

  const look = async (ask: AskWithin): Promise<Answer<TakenCatalog>> => {
    const set = await ask(withoutJit);
    if (set.kind !== 'done') return set;
    const answer = await askOrWithout(ask, taking);
    return answer.kind === 'done' ? { kind: 'done', value: JSON.parse(String(answer.value[0]?.[0])) } : answer;
  };
  const takenBy = ({ relations, objects }: TakenCatalog, rows: readonly (number | null)[] = []): Taken => ({
    objects,
    notes: [],
    isOpen: false,
    tables: relations.map((relation, at) => ({ ...takenTable(taking, relation), rows: rows[at] ?? null })),
  });

  return {
    async mayRun(ask) {
      const before = await look(ask);
      if (before.kind !== 'done') return before;
      if (!excess.isWithin(takenBy(before.value))) return notCommitted;
      if (taking.act === 'rights') return null;
      let held = before.value;
      if (isWhole) {
        const failure = await lock(ask, before.value.relations);
        if (failure !== null) return failure;
        // What happened before the lock; nothing can happen behind it.
        const again = await look(ask);
        if (again.kind !== 'done') return again;
        held = again.value;
      }
      known = held.oids;
      const rows = await countHeld(ask, held.relations, shown, counting.elapsed);
      return excess.isWithin(takenBy(held, rows)) ? null : notCommitted;
    },
    async mayCommit(changes, ask) {
      if (!(await rowsAreShown(changes))) return false;
      if (!isWhole) return true;
      const answer = await ask(goneOrEmptied, [JSON.stringify(known), taking.act === 'truncate' ? 'true' : 'false']);
      const others = answer.kind === 'done' ? Number(answer.value[0]?.[0]) : Number.NaN;
      if (others === 0) return true;
      const which = Number.isNaN(others)
        ? 'more than can be told'
        : `${others} more relations than the catalog tells of`;
      return excess.isWithin({ ...notCounted(`It takes ${which}.`), isOpen: true });
    },
  };
}

/** For the transaction: compiling one of our questions takes longer than asking it. */
export const withoutJit = `SELECT pg_catalog.set_config('jit', 'off', true)`;

async function askOrWithout(ask: AskWithin, taking: PostgresTaking): ReturnType<AskWithin> {
  const whole = [JSON.stringify(taking)];
  if (taking.objects.length === 0) return ask(takenQuestion, whole);
  const begun = await ask('SAVEPOINT sallyport_look');
  if (begun.kind !== 'done') return begun;
  const answer = await ask(takenQuestion, whole);
  if (answer.kind !== 'query_failed') return answer;
  const back = await ask('ROLLBACK TO SAVEPOINT sallyport_look');
  return back.kind === 'done' ? ask(takenQuestion, [JSON.stringify(withoutObjects(taking))]) : back;
}

export async function lock(ask: AskWithin, relations: readonly TakenRelation[]): Promise<DatabaseFailure | null> {
  // One order for all, against deadlocks.
  const sources = [...relations].filter(({ mayLock }) => mayLock).sort((a, b) => a.oid - b.oid);
  if (sources.length === 0) return null;
  const answer = await ask(`LOCK TABLE ${sources.map(({ source }) => source).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  return answer.kind === 'done' ? null : answer;
}

/** Stops once there are more than shown: readers wait meanwhile. */
async function countHeld(
  ask: AskWithin,
  relations: readonly TakenRelation[],
  shown: Taken,
  elapsed: () => number,
): Promise<readonly (number | null)[]> {
  const counts = await countWhole(relations, elapsed, async ({ name, source }, seconds) => {
    const rows = shown.tables.find(table => table.name === name)?.rows ?? null;
    const bounded = rows === null ? source : `(SELECT FROM ${source} LIMIT ${mostRows(rows) + 1}) AS t`;
    await ask('SAVEPOINT sallyport_count');
    await ask(`SELECT pg_catalog.set_config('statement_timeout', $1, true)`, [`${Math.ceil(seconds * 1_000)}`]);
    const answer = await ask(countOf(bounded));
    await ask('ROLLBACK TO SAVEPOINT sallyport_count');
    return answer.kind === 'done' ? Number(answer.value[0]?.[0]) : null;
  });
  return counts.map(({ rows }) => rows);
}

/** How many earlier relations are gone or truncated and are not among the given ones. */
const goneOrEmptied = withOperatorsQualified(`
SELECT CAST(pg_catalog.count(DISTINCT l.relation) AS pg_catalog.text) FROM pg_catalog.pg_lock_status() AS l
LEFT JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock'
AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())
AND (c.oid IS NULL OR CAST($2 AS pg_catalog.bool) AND c.relpersistence <> 't' AND (c.relkind = 'r' OR c.relkind = 'm') AND pg_catalog.age(c.xmin) <=
  pg_catalog.age(CAST(CAST(pg_catalog.mod(pg_catalog.txid_current(), 4294967296) AS pg_catalog.text) AS pg_catalog.xid)))
AND l.relation NOT IN (SELECT CAST(k.value AS pg_catalog.oid) FROM pg_catalog.json_array_elements_text(CAST($1 AS pg_catalog.json)) AS k (value))`);
