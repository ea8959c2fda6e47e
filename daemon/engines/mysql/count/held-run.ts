/**
 * Holds a run on MySQL or MariaDB to what was shown. DDL commits by itself there, so its tables are
 * locked, counted and taken in one session; tables that can't be locked are counted right before.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import { answering, valueOrThrow } from '../../answering.ts';
import {
  type CountRequest,
  changesAreShown,
  type Excess,
  notCommitted,
  type RunGuard,
} from '../../count/count-request.ts';
import { mostRows, type Taken, type TakenTable } from '../../count/taken.ts';
import type { AskWithin, WithDatabase } from '../../engine.ts';
import { historyOf, takingOf } from '../count.ts';
import { countLoss, type Loss, lossesOf } from './losses.ts';
import { objectsOf } from './objects.ts';
import { type Ask, countOf, type MysqlTable, wholeTables } from './tables.ts';

/** Call it within `answering`. */
export async function holdRun(counting: WithDatabase<CountRequest>, shown: Taken, excess: Excess): Promise<RunGuard> {
  if (shown.isUnheld === true) return {};
  const { classification, run: { rowEffects } = {} } = counting.classified;
  const taking = classification.isDml ? await historyOf(counting) : await takingOf(counting);
  if (taking === null) {
    const changesRows = classification.isDml || classification.calls.length > 0 || (rowEffects?.tables.length ?? 0) > 0;
    return changesRows && !classification.needsOwnSession ? { mayCommit: changesAreShown(counting, excess) } : {};
  }
  if (taking.isEverywhere) return {};
  const { act } = taking;
  const losses = lossesOf(taking, taking.in);
  const isHistory = taking.history === 'some';
  const isWhole = !isHistory && (act === 'emptied' || act === 'dropped' || losses.length > 0);
  return {
    async mayRun(ask) {
      const looked = await answering(async () => {
        const rows: Ask = async sql => valueOrThrow(await ask(sql));
        const tables = isHistory ? [] : await wholeTables(rows, taking.database ?? taking.in, act === 'emptied');
        const isLocked = isWhole && taking.database === null && (await lock(ask, tables));
        const now: Taken = {
          tables: [...(await lossesNow(ask, losses, shown)), ...(await countedNow(ask, tables, act, shown))],
          objects: isLocked ? [] : await objectsOf(rows, taking),
          notes: [],
          isOpen: false,
        };
        const isWithin = excess.isWithin(now);
        if (!isWithin && isLocked) valueOrThrow(await ask('UNLOCK TABLES'));
        return isWithin;
      });
      if (looked.kind !== 'done') return looked;
      return looked.value ? null : notCommitted;
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
  valueOrThrow(answer);
  return true;
}

async function lossesNow(ask: AskWithin, losses: readonly Loss[], shown: Taken): Promise<readonly TakenTable[]> {
  const found: TakenTable[] = [];
  const number = async (sql: string) => Number(valueOrThrow(await ask(sql))[0]?.[0]);
  for (const loss of losses) {
    const { table } = loss;
    const known = shown.tables.find(({ name, act }) => name === table.name && act === table.act);
    const most = known?.rows === undefined || known.rows === null ? null : mostRows(known.rows) + 1;
    found.push({ ...table, rows: await countLoss(loss, most, number) });
  }
  return found;
}

async function countedNow(
  ask: AskWithin,
  tables: readonly MysqlTable[],
  act: TakenTable['act'],
  shown: Taken,
): Promise<readonly TakenTable[]> {
  const found: TakenTable[] = [];
  for (const table of tables) {
    const name = `${table.schema}.${table.name}`;
    const known = shown.tables.find(each => each.name === name && each.act === act);
    const isCounted = known !== undefined && known.rows !== null && !known.isEstimate;
    const answer = isCounted ? await ask(countOf(table, mostRows(known.rows ?? 0) + 1)) : null;
    const rows = answer?.kind === 'done' ? Number(answer.value[0]?.[0]) : table.estimate;
    found.push({ name, act, rows, isEstimate: !isCounted, isMost: false, isAll: true, because: null });
  }
  return found;
}
