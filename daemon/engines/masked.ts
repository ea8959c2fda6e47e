/**
 * A database of whose columns some may not be read (spec §6): says so in descriptions, which keep
 * them out of samples and lists of values. What a statement reads, the engine's own `follow` says.
 */

import { isMasked, type Masks } from '../guard/masks.ts';
import type { CallContext, Database, TableDescription } from './engine.ts';
import { pairsIn } from './in-sight/description.ts';
import { sampledInMasks } from './masked/sampling.ts';

/** @returns the same database if no column is masked. */
export function masked(database: Database, masks: Masks): Database {
  return masks.columns.length === 0 ? database : withMasks(database, masks);
}

function withMasks(database: Database, masks: Masks): Database {
  const under = <Context extends CallContext>(context: Context): Context => ({ ...context, masks });
  return {
    ...database,
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
      return { kind: 'done', value: answer.value.map(table => table && described(table, masks)) };
    },
  };
}

function described(table: TableDescription, { columns: patterns }: Masks): TableDescription {
  const { partitioning, inheritance } = table;
  const parents = [partitioning?.of ?? '', ...(inheritance?.from ?? [])].flatMap(pairsIn);
  const names = [[table.schema, table.name] as const, ...parents];
  return {
    ...table,
    columns: table.columns.map(column =>
      names.some(([schema, name]) => isMasked(patterns, schema, name, column.name))
        ? { ...column, isMasked: true }
        : column,
    ),
  };
}

const noWire = 'This connection masks columns, so no program reads it by a wire.';
