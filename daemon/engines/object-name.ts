/** Names of tables as people write them: unquoted where they may be, with the schema in front of them. */

import type { Engine } from '../../shared/engine.ts';
import { quoteIdentifier } from '../guard/identifiers.ts';
import { isReserved } from './reserved-words.ts';

/** PostgreSQL folds what is not quoted to lower case. */
const plain = { postgres: /^[a-z_][a-z0-9_$]*$/, mysql: /^[A-Za-z_][\w$]*$/, sqlite: /^[A-Za-z_][\w$]*$/ } as const;

/** As a statement would have it: PostgreSQL's `SELECT count(*) FROM user` counts no table, and is no error either. */
export function writtenName(engine: Engine, name: string): string {
  return plain[engine].test(name) && !isReserved(engine, name) ? name : quoteIdentifier(engine, name);
}

export function writtenNames(engine: Engine, names: readonly string[]): string {
  return names.map(name => writtenName(engine, name)).join(', ');
}

/** @param schema null, or `main` of SQLite: nobody writes it */
export function qualifiedName(engine: Engine, schema: string | null, name: string): string {
  const written = writtenName(engine, name);
  return schema === null || (engine === 'sqlite' && schema === 'main')
    ? written
    : `${writtenName(engine, schema)}.${written}`;
}

interface NamedObject {
  readonly database: string | null;
  readonly schema: string | null;
  readonly name: string;
}

const part = /"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([^."`[\]]+)/y;

/** `billing.inv_hdr`, `"Odd Name"`, `shop.public.orders`: what is meant, or null where it can't be read so. */
export function readName(written: string): NamedObject | null {
  const parts: string[] = [];
  part.lastIndex = 0;
  for (;;) {
    const found = part.exec(written);
    if (found === null) return null;
    const [, double, back, bracket, bare] = found;
    parts.push(double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? bracket ?? bare?.trim() ?? '');
    if (part.lastIndex === written.length) break;
    if (written[part.lastIndex] !== '.') return null;
    part.lastIndex++;
  }
  const [name, schema = null, database = null, ...more] = parts.toReversed();
  return name === undefined || more.length > 0 ? null : { database, schema, name };
}
