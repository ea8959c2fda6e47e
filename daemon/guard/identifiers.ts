/** Quotes names for statements that we write ourselves. A user's own SQL is never touched. */

import type { Engine } from '../../shared/engine.ts';

export function quoteIdentifier(engine: Engine, name: string): string {
  return engine === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;
}

export function quoteQualified(engine: Engine, schema: string | null, name: string): string {
  const quoted = quoteIdentifier(engine, name);
  return schema === null ? quoted : `${quoteIdentifier(engine, schema)}.${quoted}`;
}
