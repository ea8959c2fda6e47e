/**
 * What definitions of this daemon made in a file. A table is known if the file's schema is as our
 * last definition left it, and the table's text too: whoever changes the schema beside us makes all
 * of it theirs.
 */

import type { Defined } from '../../../guard/sqlite/defined/facts.ts';
import { onlyAdds } from '../../../guard/sqlite/defined/only-adds.ts';
import { untold } from '../../../guard/tried-reason.ts';
import type { DatabaseFailure, RowCounts } from '../../engine.ts';
import type { Made } from '../../made.ts';
import type { Did, FileIdentity } from '../child/protocol.ts';

export class Definitions {
  readonly #made: Made;
  /** The file and its `schema_version` after our last definition. */
  #state = '';

  constructor(made: Made) {
    this.#made = made;
  }

  /** @param defined null if the file wasn't asked. @returns null if it only added. */
  refusal(file: FileIdentity, defined: Defined | null): Extract<DatabaseFailure, { kind: 'not_committed' }> | null {
    if (defined === null) return { kind: 'not_committed', remains: [], reasons: [untold] };
    const reasons = onlyAdds(defined, ({ name, sql }) => this.#has(stateOf(file, defined.version.before), name, sql));
    return reasons.length === 0 ? null : { kind: 'not_committed', remains: [], reasons };
  }

  /** @param table and `sql` as the file has them, with its `schema_version`. */
  isKnown(file: FileIdentity, version: number, table: string, sql: string | null): boolean {
    return this.#has(stateOf(file, version), table, sql);
  }

  /** The changed rows, with those that were added to a table of others. */
  counted(file: FileIdentity, { changes, addedTo }: Did): RowCounts {
    if (addedTo === null || this.isKnown(file, addedTo.version, addedTo.table, addedTo.sql)) return changes;
    return { ...changes, added: [{ table: addedTo.table, rows: addedTo.rows }] };
  }

  /** Call it once it is committed. */
  remember(file: FileIdentity, { version, gone, added, changed }: Defined): void {
    if (this.#state !== stateOf(file, version.before)) this.#made.clear();
    this.#state = stateOf(file, version.after);
    const isOfFile = ({ schema, type }: Defined['added'][number]) => schema === 'main' && type === 'table';
    // A renamed table is gone and there, and not new.
    if (gone.length === 0) for (const { name, sql } of added.filter(isOfFile)) this.#made.add(name, sql ?? '');
    for (const { before, after } of changed)
      if (isOfFile(after) && this.#made.has(before.name, before.sql ?? ''))
        this.#made.marked(after.name, after.sql ?? '');
  }

  #has(state: string, table: string, sql: string | null): boolean {
    return state === this.#state && this.#made.has(table, sql ?? '');
  }
}

function stateOf({ realPath, device, inode, born }: FileIdentity, version: number): string {
  return JSON.stringify([realPath, device, inode, born, version]);
}
