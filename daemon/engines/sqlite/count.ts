/**
 * Counts what a statement takes in an SQLite file: by a trial if it takes rows, else from the
 * schema and by reading (spec §12).
 */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import type { SqliteTaking } from '../../guard/sqlite/taking.ts';
import { valueOrThrow } from '../answering.ts';
import {
  type CountRequest,
  changesAreShown,
  definesWhatIsShown,
  type Excess,
  namedIn,
  type RunGuard,
} from '../count/count-request.ts';
import { countWhole } from '../count/count-whole.ts';
import { type Taken, type TakenTable, takenByChanges, takesNothing, untold } from '../count/taken.ts';
import { shownName } from '../count/taken-words.ts';
import { tryOut } from '../count/trial.ts';
import type { AskWithin, HeldDefinition, Parameter, WithDatabase } from '../engine.ts';
import { lookUp } from '../look-up.ts';

/**
 * The statement's table and what actions of foreign keys do after it. DROP TABLE deletes its rows
 * first, with the same actions.
 */
const followed = `
with recursive taken (name, act, of) as (
  select name, ?2, null from temp.pragma_table_list where schema = 'main' and name = ?1 collate nocase
  union
  select t.name, case when taken.act <> 'updated' and f.on_delete = 'CASCADE' then 'deleted' else 'updated' end, taken.name
  from taken, temp.pragma_table_list as t, temp.pragma_foreign_key_list(t.name) as f
  where t.schema = 'main' and t.type = 'table' and f."table" = taken.name collate nocase and taken.act <> 'altered'
  and case when taken.act = 'updated' then f.on_update else f.on_delete end in ('CASCADE', 'SET NULL', 'SET DEFAULT')
) select name, act, min(of), exists (select 1 from temp.pragma_table_list as v where v.schema = 'main' and v.name = taken.name and v.type = 'view'),
  exists (select 1 from main.sqlite_schema as s where s.type = 'trigger' and s.tbl_name = taken.name collate nocase)
from taken group by name, act order by of is not null, name`;

/** Call it within `answering`. */
export async function count(counting: WithDatabase<CountRequest>): Promise<Taken> {
  const { classifier, database, context, sql, parameters, classified, elapsed } = counting;
  const { isDml } = classified.classification;
  const defines = definedBy(classified);
  const isTried = isDml || defines !== undefined;
  const trial = isTried ? valueOrThrow(await tryOut(database, context, { sql, parameters, defines })) : null;
  if (trial?.kind === 'counted') return takenByChanges(trial.changes, namedIn(counting));
  const notes = trial === null ? [] : [trial.why];
  const taking = defines === undefined ? valueOrThrow(await classifier.ask(context, 'sqliteTaking', sql)) : null;
  if (taking === null) return isDml || defines !== undefined ? { ...takesNothing, notes } : untold;
  const ask: AskFile = (question, parameters, timeoutSeconds = context.timeoutSeconds) =>
    lookUp(database, { ...context, timeoutSeconds }, question, parameters);
  return takenAsWhole(taking, elapsed, ask, trial === null ? null : notes);
}

/** Asks the file, or counts a table, within so many seconds. */
export type AskFile = (sql: string, parameters: readonly Parameter[], seconds?: number) => ReturnType<AskWithin>;

/**
 * What a statement takes without looking at single rows. Call it within `answering`.
 * @param tried why a trial gave no figures; null without one.
 */
export async function takenAsWhole(
  taking: SqliteTaking,
  elapsed: () => number,
  ask: AskFile,
  tried: readonly string[] | null,
): Promise<Taken> {
  const notes = tried ?? [];
  const { object } = taking;
  if (object !== undefined)
    return { ...takesNothing, objects: [{ act: 'dropped', name: `${object.kind} ${shownName(object.name)}` }] };
  const found = valueOrThrow(await ask(followed, [taking.table, taking.act]));
  const names = found.map(([name]) => String(name));
  const tables = names.map(name => ({ name, mayCount: true, estimate: null }));
  const counts = await countWhole(tables, elapsed, async ({ name }, seconds) => {
    const answer = await ask(`select count(*) from main.${quoteIdentifier('sqlite', name)}`, [], seconds);
    return answer.kind === 'done' ? Number(answer.value[0]?.[0]) : null;
  });
  const unseen = tried === null ? [] : names.filter((_, at) => Number(found[at]?.[4]) === 1).map(shownName);
  const triggers = `What triggers of ${unseen.join(', ')} do was not counted.`;
  return {
    tables: found.map(([, act, of, isView], at): TakenTable => {
      const name = names[at] ?? '';
      const isRows = act === 'deleted' || act === 'updated';
      const because = typeof of === 'string' ? `which refers to ${shownName(of)}` : null;
      const { rows = null, isEstimate = true } = Number(isView) === 1 ? {} : (counts[at] ?? {});
      return { name, act: act as SqliteTaking['act'], rows, isEstimate, isMost: isRows, isAll: !isRows, because };
    }),
    objects: [],
    notes: unseen.length > 0 ? [...notes, triggers] : notes,
    isOpen: unseen.length > 0,
  };
}

/** What its text says only to add; undefined for all else. */
function definedBy({ classification, run }: CountRequest['classified']): HeldDefinition['names'] | undefined {
  return classification.class === 'write' ? run?.defines : undefined;
}

/** What goes but for rows is in what the definition did. */
export async function holdRun(counting: CountRequest, shown: Taken, excess: Excess): Promise<RunGuard> {
  const mayCommit = changesAreShown(counting, excess);
  return definedBy(counting.classified) === undefined
    ? { mayCommit }
    : { mayCommit, mayDefine: definesWhatIsShown(shown, excess) };
}
