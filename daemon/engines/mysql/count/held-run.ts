/**
 * Holds a run on MySQL or MariaDB to what was shown. DDL commits by itself there, so its tables are
 * locked, counted and taken in one session; tables that can't be locked are counted right before.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import { answered, answering } from '../../answering.ts';
import { type Counting, changesAreShown, type Excess, type RunGuard, stopped } from '../../count/counting.ts';
import { mostRows, type Taken, type TakenTable } from '../../count/taken.ts';
import type { AskWithin, On } from '../../engine.ts';
import { takingOf } from '../count.ts';
import { type Ask, countOf, type MysqlTable, wholeTables } from './tables.ts';

/** Call it within `answering`. */
export async function holdRun(counting: On<Counting>, shown: Taken, excess: Excess): Promise<RunGuard> {
  if (shown.isUnheld === true) return {};
  const { classification, run: { written } = {} } = counting.classified;
  const taking = classification.isDml ? null : await takingOf(counting);
  if (taking === null) {
    const changesRows = classification.isDml || classification.calls.length > 0 || (written?.tables.length ?? 0) > 0;
    return changesRows && !classification.needsOwnSession ? { mayCommit: changesAreShown(counting, excess) } : {};
  }
  if (taking.act === 'altered') return {};
  const { act } = taking;
  return {
    async mayRun(ask) {
      const looked = await answering(async () => {
        const rows: Ask = async sql => answered(await ask(sql));
        const tables = await wholeTables(rows, taking.database ?? taking.in, act === 'emptied');
        const isLocked = taking.database === null && (await lock(ask, tables));
        const now: Taken = { tables: await countedNow(ask, tables, act, shown), falls: [], notes: [], isOpen: false };
        const isWithin = excess.isWithin(now);
        if (!isWithin && isLocked) answered(await ask('UNLOCK TABLES'));
        return isWithin;
      });
      if (looked.kind !== 'done') return looked;
      return looked.value ? null : stopped;
    },
  };
}

const tooLate = '1205';

/** @returns false if they can't be locked; then they are counted without a lock. */
async function lock(ask: AskWithin, tables: readonly MysqlTable[]): Promise<boolean> {
  if (tables.length === 0 || tables.some(({ hasForeignKeys }) => hasForeignKeys)) return false;
  const names = tables.map(({ schema, name }) => `${quoteQualified('mysql', schema, name)} WRITE`);
  const answer = await ask(`LOCK TABLES ${names.join(', ')}`);
  if (answer.kind === 'query_failed' && answer.code !== tooLate) return false;
  answered(answer);
  return true;
}

async function countedNow(
  ask: AskWithin,
  tables: readonly MysqlTable[],
  how: TakenTable['how'],
  shown: Taken,
): Promise<readonly TakenTable[]> {
  const found: TakenTable[] = [];
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`;
    const known = shown.tables.find(each => each.name === name);
    const isCounted = known !== undefined && known.rows !== null && !known.isEstimate;
    const answer = isCounted ? await ask(countOf(table, mostRows(known.rows ?? 0) + 1)) : null;
    const rows = answer?.kind === 'done' ? Number(answer.value[0]?.[0]) : table.estimate;
    found.push({ name, how, rows, isEstimate: !isCounted, isMost: false, isAll: true, because: null });
  }
  return found;
}
