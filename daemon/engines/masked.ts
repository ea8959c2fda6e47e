/**
 * A database of whose columns some may not be read (spec §6): says so in descriptions, which keep
 * them out of samples and lists of values. What a statement reads, the engine's own `follow` says.
 */

import { isMasked, type Masks } from '../guard/masks.ts';
import { folded } from '../guard/sight.ts';
import type { TableColumn } from './description.ts';
import { withoutStatistics } from './dialect.ts';
import type { Answer, CallContext, Database, TableDescription } from './engine.ts';
import { pairsIn, wordsIn } from './in-sight/description.ts';
import { sampledInMasks } from './masked/sampling.ts';

/** @returns the same database if no column is masked. */
export function masked(database: Database, masks: Masks): Database {
  return masks.columns.length === 0 ? database : withMasks(database, masks);
}

function withMasks(database: Database, masks: Masks): Database {
  const under = <Context extends CallContext>(context: Context): Context => ({ ...context, masks });
  return {
    ...database,
    dialect: withoutStatistics(database.dialect),
    run: (request, sink) => database.run(under(request), sink),
    rehearse: (context, work) => database.rehearse(under(context), work),
    follow: (classifier, context, sql, facts) => database.follow(classifier, under(context), sql, facts),
    async planPreview(classifier, planning) {
      const context = under(planning.context);
      const plan = await database.planPreview(classifier, { ...planning, context });
      return { ...plan, sample: await sampledInMasks(database, classifier, context, plan.sample) };
    },
    count: counting => database.count({ ...counting, context: under(counting.context) }),
    holdRun: (counting, shown, excess) =>
      database.holdRun({ ...counting, context: under(counting.context) }, shown, excess),
    // A program's own session reads what it likes.
    ...(database.openWire && { openWire: async () => ({ kind: 'unsupported', message: noWire }) as const }),
    planRole: (context, wanted) => database.planRole(under(context), wanted),
    async describeTables(context, names, withDdl) {
      const answer = await database.describeTables(under(context), names, withDdl);
      if (answer.kind !== 'done') return answer;
      const told: (TableDescription | null)[] = [];
      for (const table of answer.value) {
        const above = table === null ? none : await parentsOf(database, under(context), table);
        if (above.kind !== 'done') return above;
        told.push(table && described(table, above.value, masks));
      }
      return { kind: 'done', value: told };
    },
  };
}

type Qualified = readonly [schema: string | null, name: string];
const none = { kind: 'done', value: [] } as const;

/** Parents, and theirs: a column is masked by any one's name. */
async function parentsOf(
  database: Database,
  context: CallContext,
  table: TableDescription,
): Promise<Answer<readonly Qualified[]>> {
  const parents = new Map<string, Qualified>();
  for (const below: TableDescription[] = [table]; below.length > 0; ) {
    const { partitioning, inheritance } = below.pop() as TableDescription;
    for (const pair of [partitioning?.of ?? '', ...(inheritance?.from ?? [])].flatMap(pairsIn)) {
      const key = JSON.stringify(pair);
      if (parents.has(key)) continue;
      parents.set(key, pair);
      const [schema, name] = pair;
      const answer = await database.describeTables({ ...context, schema }, [name], false);
      if (answer.kind !== 'done') return answer;
      below.push(...answer.value.filter(each => each !== null));
    }
  }
  return { kind: 'done', value: [...parents.values()] };
}

function described(table: TableDescription, above: readonly Qualified[], masks: Masks): TableDescription {
  const names: readonly Qualified[] = [[table.schema, table.name], ...above];
  const isNamed = ({ name: column }: TableColumn): boolean =>
    names.some(([schema, name]) => isMasked(masks.columns, schema, name, column));
  const masked = new Set(table.columns.filter(isNamed).map(({ name }) => folded(name)));
  // One that is generated may be made of another such.
  for (let before = -1; before < masked.size; ) {
    before = masked.size;
    for (const { name, generated, default: made } of table.columns)
      if ((generated === 'stored' || generated === 'virtual') && namesOne(made ?? '', masked)) masked.add(folded(name));
  }
  const columns = table.columns.map(each =>
    masked.has(folded(each.name)) ? { ...each, isMasked: true as const } : each,
  );
  return { ...table, columns };
}

const namesOne = (expression: string, columns: ReadonlySet<string>): boolean =>
  wordsIn(expression).some(({ name }) => columns.has(folded(name)));

const noWire = 'This connection masks columns, so no program reads it by a wire.';
