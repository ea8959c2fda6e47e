/**
 * What of a database its clients don't meet, by count and by name, for the person who decides it
 * (spec §6): a pattern with a mistake hides nothing, and nobody else would notice.
 */

import type { Connection } from '../../access/connection.ts';
import type { Answer, CallContext, Database, Table } from '../../engines/engine.ts';
import { isMasked } from '../../guard/masks.ts';
import { isHidden, isWholeSight, wholeSight } from '../../guard/sight.ts';
import type { QualifiedName } from '../../guard/types.ts';
import type { ReachableDatabase } from '../messages/connections.ts';

export type Kept = Pick<ReachableDatabase, 'hidden' | 'masked' | 'unmatched'>;
type Column = QualifiedName & { readonly column: string };

const mostNames = 20;
/** Of a larger database not all is looked at, and nothing is told of its columns. */
const mostDescribed = 1_000;

/** @returns a failure if the database doesn't say. */
export async function keptFromClients(
  { sight = wholeSight, masks = [] }: Pick<Connection, 'sight' | 'masks'>,
  database: Database,
  context: CallContext,
): Promise<Answer<Kept>> {
  if (isWholeSight(sight) && masks.length === 0) return { kind: 'done', value: {} };
  const listed = await database.listTables(context, false);
  if (listed.kind !== 'done') return listed;
  const found = isWholeSight(sight) ? undefined : await database.hiddenTables?.({ ...context, sight });
  if (found !== undefined && found.kind !== 'done') return found;
  const hidden = found?.value.tables ?? [];
  const isLarge = listed.value.length > mostDescribed;
  const columns = masks.length === 0 || isLarge ? null : await maskedIn(listed.value);
  if (columns !== null && columns.kind !== 'done') return columns;
  const masked = columns?.value ?? [];

  const isNamed = (pattern: string, { schema, name }: QualifiedName): boolean =>
    isHidden({ hide: [pattern], only: [], show: [] }, schema, name);
  const unmatched = [
    ...sight.hide.filter(pattern => !hidden.some(each => isNamed(pattern, each))),
    ...sight.only.filter(pattern => !listed.value.some(each => isNamed(pattern, each))),
    ...(columns === null ? [] : masks).filter(
      pattern => !masked.some(({ schema, name, column }) => isMasked([pattern], schema, name, column)),
    ),
  ];
  return {
    kind: 'done',
    value: {
      ...(hidden.length > 0 && { hidden: toldOf(hidden.map(nameOf)) }),
      ...(masked.length > 0 && { masked: toldOf(masked.map(each => `${nameOf(each)}.${each.column}`)) }),
      ...(unmatched.length > 0 && { unmatched }),
    },
  };

  async function maskedIn(tables: readonly Table[]): Promise<Answer<readonly Column[]>> {
    const all: Column[] = [];
    for (const schema of new Set(tables.map(table => table.schema))) {
      const names = tables.flatMap(table => (table.schema === schema ? [table.name] : []));
      const answer = await database.describeTables({ ...context, schema }, names, false);
      if (answer.kind !== 'done') return answer;
      for (const table of answer.value)
        for (const { name: column, isMasked: isIts } of table?.columns ?? [])
          if (isIts === true) all.push({ schema, name: table?.name ?? '', column });
    }
    return { kind: 'done', value: all };
  }
}

function toldOf(names: readonly string[]): { count: number; names: string[] } {
  const each = [...new Set(names)].toSorted();
  return { count: each.length, names: each.slice(0, mostNames) };
}

const nameOf = ({ schema, name }: QualifiedName): string =>
  schema === null || schema === 'main' ? name : `${schema}.${name}`;
