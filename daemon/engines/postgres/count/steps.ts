/**
 * Looks within a transaction of several steps at the next one (spec §12): judges it by the catalog
 * as the steps before left it, and asks what it takes as a whole.
 */

import { withOperatorsQualified } from '../../../guard/postgres/lookup-parts.ts';
import { valueOrThrow } from '../../answering.ts';
import { askWithin } from '../../count/ask-within.ts';
import type { CountRequest, StepCounting } from '../../count/count-request.ts';
import { codeIsCalled, notCounted, takesNothing } from '../../count/taken.ts';
import { toldInstead } from '../../count/trial.ts';
import type { Database, Rehearsal } from '../../engine.ts';
import { type AskCatalog, takenAsWhole } from '../count.ts';
import { follow } from '../follow.ts';
import { noHooks, refuseLasting } from '../preview/hooks.ts';
import { planPreview } from '../preview.ts';
import { lock, withoutJit } from './held-run.ts';

/**
 * Looks at one step after the other; the members are called in that order.
 * @param holds true for the run: what a step takes as a whole is locked before it is counted, as
 *   others may still write.
 */
export function countSteps(database: Database, holds: boolean): StepCounting {
  /** The oids of what the steps so far are known to take: it is told once. */
  const known = new Set<number>();
  let before: Locked = new Map();
  let isTruncating = false;
  /** True if the present step truncates or drops. */
  let isWhole = false;
  let isBegun = false;
  let hasDefined = false;
  let definitionsRunCode = false;
  return {
    async judge(counting, rehearsal) {
      const { classifier, context, sql, classified } = counting;
      if (!isBegun) valueOrThrow(await askWithin(rehearsal, withoutJit));
      isBegun = true;
      const mayDiffer = hasDefined;
      hasDefined ||= !classified.classification.isDml;
      if (!mayDiffer && hasDefined) definitionsRunCode ||= await hooksDefinitions(counting);
      if (!mayDiffer) return counting;
      const judged = await follow(seenWithin(database, rehearsal), classifier, context, sql);
      if (judged.kind === 'failed') return valueOrThrow(judged.failure);
      const { classification, run } = judged;
      if (classification.class === 'forbidden')
        return valueOrThrow({ kind: 'unsupported', message: classification.reason });
      if (definitionsRunCode && !classification.isDml) return valueOrThrow(unseenCode);
      definitionsRunCode ||= await hooksDefinitions(counting);
      return { ...counting, classified: { classification, ...(run && { run }) } };
    },
    async insteadOfTrial(counting, rehearsal) {
      const { classifier, context, sql, classified } = counting;
      const { isDml, runsDml, calls } = classified.classification;
      if (isDml || runsDml === true) {
        const seen = seenWithin(database, rehearsal);
        return toldInstead(counting, planning => planPreview(classifier, { ...planning, database: seen }));
      }
      if (calls.length > 0) return codeIsCalled(false);
      const { outlivesRollback, hooksCode } = valueOrThrow(await classifier.ask(context, 'postgresLasting', sql));
      if (hooksCode) return notCounted(bringsUnnamedCode);
      return outlivesRollback ? notCounted(leavesNumbers) : null;
    },
    async outlivesRollback({ classifier, context, sql, classified: { classification } }, rehearsal) {
      const { outlivesRollback } = valueOrThrow(await classifier.ask(context, 'postgresLasting', sql));
      if (outlivesRollback) return true;
      const seen = seenWithin(database, rehearsal);
      const planning = { context, classification, rowEffects: undefined, sql, database: seen };
      // Each of these refuses what may stay behind.
      if (classification.isDml || classification.runsDml === true) await planPreview(classifier, planning);
      else await refuseLasting(classifier, planning, [], noHooks);
      return false;
    },
    async before({ classifier, context, sql, classified, elapsed }, rehearsal) {
      const { isDml, runsDml } = classified.classification;
      const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
      if (taking === null || isDml || runsDml === true || taking.act === 'rows') return null;
      isTruncating = taking.act === 'truncate';
      isWhole = isTruncating || taking.act === 'drop';
      let found = await takenAsWhole(taking, elapsed, guarded(rehearsal), 'without new ones');
      if (holds && isWhole) {
        const failure = await lock((text, given) => askWithin(rehearsal, text, given), found.catalog.relations);
        if (failure !== null) valueOrThrow(failure);
        found = await takenAsWhole(taking, elapsed, guarded(rehearsal), 'without new ones');
      }
      // The oids come as text.
      for (const oid of found.catalog.oids) known.add(Number(oid));
      before = await lockedNow(rehearsal);
      return { taken: found.taken, hasTriggers: found.catalog.triggers.length > 0 };
    },
    async after(rehearsal) {
      // An ALTER that rewrites its table takes the old file away, and nothing else.
      if (!isWhole) return takesNothing;
      const now = await lockedNow(rehearsal);
      const more = [...now].filter(([oid, { isGone, version, isEmptied }]) => {
        if (known.has(oid) || before.get(oid)?.version === version) return false;
        return isGone || (isTruncating && isEmptied);
      });
      if (more.length === 0) return takesNothing;
      for (const [oid] of more) known.add(oid);
      return { ...notCounted(`It takes ${more.length} more relations than the catalog tells of.`), isOpen: true };
    },
  };
}

const leavesNumbers = 'It was not tried, because a rollback leaves something of it: a sequence keeps its place.';

const bringsUnnamedCode = 'It was not tried, because later steps would run the code that it brings unseen.';

const unseenCode = {
  kind: 'unsupported',
  message:
    'An event trigger of an earlier step would run its code here: put the event trigger last, or send it by itself.',
} as const;

async function hooksDefinitions({ classifier, context, sql }: CountRequest): Promise<boolean> {
  return valueOrThrow(await classifier.ask(context, 'postgresLasting', sql)).hooksDefinitions;
}

/** The relations that the transaction has locked for itself alone, by oid. */
type Locked = ReadonlyMap<
  number,
  {
    readonly isGone: boolean;
    /** A text that changes whenever its file or its row in the catalog changes. */
    readonly version: string;
    /** True if its row in the catalog was written by this transaction. */
    readonly isEmptied: boolean;
  }
>;

const lockedQuestion = withOperatorsQualified(`
SELECT CAST(COALESCE(pg_catalog.json_agg(DISTINCT pg_catalog.jsonb_build_array(CAST(l.relation AS pg_catalog.int8), c.oid IS NULL,
  CAST(pg_catalog.concat(c.relfilenode, ' ', c.xmin) AS pg_catalog.text),
  c.relpersistence <> 't' AND (c.relkind = 'r' OR c.relkind = 'm') AND pg_catalog.age(c.xmin) <=
    pg_catalog.age(CAST(CAST(pg_catalog.mod(pg_catalog.txid_current(), 4294967296) AS pg_catalog.text) AS pg_catalog.xid)))), CAST('[]' AS pg_catalog.json)) AS pg_catalog.text)
FROM pg_catalog.pg_lock_status() AS l LEFT JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock'
AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())`);

async function lockedNow(rehearsal: Rehearsal): Promise<Locked> {
  const [row] = valueOrThrow(await guarded(rehearsal)(lockedQuestion, []));
  const rows: [number, boolean, string, boolean | null][] = JSON.parse(String(row?.[0] ?? '[]'));
  return new Map(
    rows.map(([oid, isGone, version, isEmptied]) => [oid, { isGone, version, isEmptied: isEmptied === true }]),
  );
}

/**
 * Asks behind a savepoint. Otherwise a question that fails would fail the transaction, and what is
 * set for a question would stay.
 */
function guarded(rehearsal: Rehearsal): AskCatalog {
  const say = async (sql: string, parameters: readonly string[] = []) =>
    valueOrThrow(await askWithin(rehearsal, sql, parameters));
  return async (sql, parameters, seconds) => {
    await say('SAVEPOINT sallyport_look');
    if (seconds !== undefined)
      await say(`SELECT pg_catalog.set_config('statement_timeout', $1, true)`, [`${Math.ceil(seconds * 1_000)}`]);
    const answer = await askWithin(rehearsal, sql, parameters);
    await say('ROLLBACK TO SAVEPOINT sallyport_look');
    await say('RELEASE SAVEPOINT sallyport_look');
    return answer;
  };
}

/** The database as the steps so far have left it, for questions of ours. */
function seenWithin(database: Database, rehearsal: Rehearsal): Database {
  return {
    ...database,
    run: ({ sql, parameters, limits }, sink) => rehearsal.run({ sql, parameters, limits, ours: true }, sink),
  };
}
