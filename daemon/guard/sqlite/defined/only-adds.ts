/**
 * Whether an SQLite definition only added (spec §7): judged by what the file's schema says that it
 * did, before its COMMIT. What isn't known to add asks. What happens to a table that this daemon
 * made within the hour concerns nobody.
 */

import { type Reason, say } from '../../reason.ts';
import { moduleTables } from '../functions.ts';
import { folded } from '../tokenizer.ts';
import { addedColumn } from './added-column.ts';
import type { Defined, SchemaRow } from './facts.ts';
import { restrictsRows } from './indexes.ts';

/**
 * @param isKnown true for a table, as it was before, that this daemon made within the hour.
 * @returns sentences for the person who is asked; none if it only added.
 */
export function onlyAdds(defined: Defined, isKnown: (table: SchemaRow) => boolean): readonly Reason[] {
  const { gone, changed, added, addedTo, altered, unwritable, takenAsParts } = defined;
  const old = addedTo.filter(table => !isKnown(table)).map(({ name }) => folded(name));
  return [
    ...gone.map(({ type, name }) => say('It takes the %@ %@ away.', type, name)),
    ...changed
      .filter(({ before }) => !isKnown(before))
      .flatMap(({ before, after }): readonly Reason[] => {
        const table = altered.find(({ name }) => before.type === 'table' && name === before.name);
        if (before.schema === 'temp') return [];
        return (table && addedColumn(table, before, after, defined.uses)) ?? [changes(before)];
      }),
    ...added.flatMap((row): readonly Reason[] => {
      switch (row.type) {
        case 'trigger':
          return [say('It puts code behind %@, which runs later with other statements.', row.table)];
        case 'index':
          return row.schema === 'main' && old.includes(folded(row.table)) ? restrictsRows(row) : [];
        case 'table':
        case 'view':
          return takesName(row);
        default:
          return [changes(row)];
      }
    }),
    ...unwritable
      .filter(table => !isKnown(table))
      .map(({ name }) =>
        say("Writes to %@ fail where keys are checked: a foreign key refers to what isn't there, or is no key.", name),
      ),
    ...takenAsParts.map(name =>
      say('It takes the table %@ for a part of itself: writes to it may be refused from then on.', name),
    ),
  ];
}

function changes({ type, name }: Pick<SchemaRow, 'type' | 'name'>): Reason {
  return say('It changes the definition of the %@ %@.', type, name);
}

function takesName({ name }: SchemaRow): readonly Reason[] {
  const taken = folded(name);
  return taken.startsWith('pragma_') || moduleTables.has(taken)
    ? [say("CREATE takes the name %@, which means a table of SQLite's own.", name)]
    : [];
}
