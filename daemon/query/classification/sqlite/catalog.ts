/** What only the file can say of a statement: whether a table that is given a computed command is one that takes commands. */

import type { Classification } from '../classification.ts';

/** Takes the table's name. */
export const virtualTableLookup =
  "SELECT count(*) FROM pragma_table_list WHERE name = ? COLLATE NOCASE AND type = 'virtual'";

export function raisedByVirtualTable(classification: Classification): Classification {
  return {
    ...classification,
    class: 'destructive',
    reason: 'The value for the column named like the full-text table is a command, and is known only when it runs.',
  };
}
