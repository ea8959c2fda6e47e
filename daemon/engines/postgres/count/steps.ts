/** Asks within a transaction of several steps what the next one takes as a whole (spec §12). */

import { withOperatorsQualified } from '../../../guard/postgres/lookup-parts.ts';
import { valueOrThrow } from '../../answering.ts';
import { askWithin } from '../../count/ask-within.ts';
import type { StepCounting } from '../../count/count-request.ts';
import { notCounted, takesNothing } from '../../count/taken.ts';
import type { Rehearsal } from '../../engine.ts';
import { type AskCatalog, takenAsWhole } from '../count.ts';
import { lock } from './held-run.ts';

/** @param holds true for the run: what goes is locked before it is counted, as others may still write. */
export function countSteps(holds: boolean): StepCounting {
  /** What earlier steps and this one are known to take; told once. */
  const known = new Set<number>();
  let before: Locked = new Map();
  let isTruncating = false;
  return {
    mayTry: async ({ classifier, context, sql }) =>
      valueOrThrow(await classifier.ask(context, 'postgresMayBeTried', sql)),

    async before({ classifier, context, sql, classified, elapsed }, rehearsal) {
      const { isDml, runsDml } = classified.classification;
      const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
      if (taking === null || isDml || runsDml === true || taking.act === 'rows') return null;
      isTruncating = taking.act === 'truncate';
      let found = await takenAsWhole(taking, elapsed, guarded(rehearsal));
      if (holds && (isTruncating || taking.act === 'drop')) {
        const failure = await lock((text, given) => askWithin(rehearsal, text, given), found.catalog.relations);
        if (failure !== null) valueOrThrow(failure);
        found = await takenAsWhole(taking, elapsed, guarded(rehearsal));
      }
      // They come as text.
      for (const oid of found.catalog.oids) known.add(Number(oid));
      before = await lockedNow(rehearsal);
      return { taken: found.taken, hasTriggers: found.catalog.triggers.length > 0 };
    },

    async after(rehearsal) {
      const now = await lockedNow(rehearsal);
      const more = [...now].filter(([oid, { isGone, version, isEmptied }]) => {
        if (known.has(oid) || before.get(oid)?.version === version) return false;
        return isGone || (isTruncating && isEmptied);
      });
      if (more.length === 0) return takesNothing;
      for (const [oid] of more) known.add(oid);
      return {
        ...notCounted(`It takes ${more.length} more relations than the catalog tells of.`),
        isOpen: true,
      };
    },
  };
}

/** By oid: relations that the transaction has locked for itself alone. */
type Locked = ReadonlyMap<
  number,
  {
    readonly isGone: boolean;
    /** Changes with its file and its row in the catalog. */
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

/** A question that fails would fail the transaction, and its settings would stay. */
function guarded(rehearsal: Rehearsal): AskCatalog {
  return async (sql, parameters, seconds) => {
    const set = (name: string, value: string) =>
      askWithin(rehearsal, 'SELECT pg_catalog.set_config($1, $2, true)', [name, value]);
    valueOrThrow(await askWithin(rehearsal, 'SAVEPOINT sallyport_look'));
    valueOrThrow(await set('jit', 'off'));
    if (seconds !== undefined) await set('statement_timeout', `${Math.ceil(seconds * 1_000)}`);
    const answer = await askWithin(rehearsal, sql, parameters);
    valueOrThrow(await askWithin(rehearsal, 'ROLLBACK TO SAVEPOINT sallyport_look'));
    return answer;
  };
}
