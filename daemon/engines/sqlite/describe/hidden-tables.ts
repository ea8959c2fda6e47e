/** Which tables, views and triggers of an SQLite file are out of sight. */

import type { Sight } from '../../../guard/sight.ts';
import { seenFile } from '../../../guard/sqlite/sight.ts';
import { folded } from '../../../guard/sqlite/tokenizer.ts';
import { answering } from '../../answering.ts';
import type { Answer, HiddenTables } from '../../engine.ts';
import { type LookUp, text } from '../look-up.ts';

export function hiddenTables(lookUp: LookUp, sight: Sight | undefined): Promise<Answer<HiddenTables>> {
  return answering(async () => {
    if (sight === undefined) return { tables: [], bareNames: [] };
    const rows = await lookUp(
      `select type, name, rootpage = 0, sql from main.sqlite_schema
       where type in ('table', 'view', 'trigger') and name not like 'sqlite\\_%' escape '\\'`,
    );
    const objects = rows.map(([type, name, isVirtual, sql]) => ({
      type: text(type),
      name: text(name),
      isVirtual: text(type) === 'table' && isVirtual === 1,
      sql: text(sql),
    }));
    const { hidden, hiddenTriggers } = seenFile(sight, objects);
    const names = objects
      .filter(({ type, name }) => (type === 'trigger' ? hiddenTriggers : hidden).has(folded(name)))
      .map(({ name }) => name);
    return { tables: names.map(name => ({ schema: 'main', name })), bareNames: names };
  });
}
