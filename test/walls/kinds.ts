/**
 * What each classified statement that is no read tries, as docs/walls.md lists it: the first kind
 * that fits.
 */

import type { Engine } from '../../shared/engine.ts';
import { statementsFor, type WallStatement } from './statements.ts';

interface Kind {
  readonly name: string;
  readonly pattern: RegExp;
  /** True if the answer itself is the harm. */
  readonly tells?: true;
}

/** MariaDB reads a literal and a comment there. */
const harmless: ReadonlySet<string> = new Set([
  "SELECT '¿\\'; DELETE FROM u; -- '",
  '/*!99999 DELETE FROM u */ SELECT 1',
]);

export const kinds: readonly Kind[] = [
  { name: 'several statements, blocks', pattern: /^(?!CREATE).*; *[A-Z-]|\\G|^$|^--/ },
  {
    name: 'files and programs of the server',
    pattern:
      /pg_read|fread_file|pg_ls_dir|pg_file_|lo_export|COPY t|LOAD_FILE|OUTFILE|LOAD (XML|DATA)|csv|ATTACH|INTO '|^\.|load_ext|fts3_token|temp_store/,
    tells: true,
  },
  { name: 'password catalogs', pattern: /pg_shadow|pg_authid|authentication_string|SHOW GRANTS/, tells: true },
  { name: 'SQL in a string', pattern: /query_to_xml|database_to_xml/ },
  { name: 'network', pattern: /dblink|SUBSCRIPTION|FOREIGN SCHEMA|FEDERATED/ },
  { name: 'other sessions', pattern: /terminate|^LOCK|^KILL|advisory|notify|GET_LOCK/ },
  {
    name: 'control of the server',
    pattern:
      /reload|rotate|slot|emit_message|import_system|SHUTDOWN|MASTER|SLAVE|BINARY LOGS|^FLUSH|^CACHE|ROLE evil|^GRANT|USER|PASSWORD|EXTENSION|ALTER DATABASE/,
  },
  { name: 'stored code that writes', pattern: /^CALL|f_write|f_claims|f_isam|^BEGIN NOT|^IF|^FOR/ },
  {
    name: 'settings of the session',
    pattern:
      /^SET |^RESET|set_config|^PREPARE|^EXECUTE|^LISTEN|^BEGIN|^START|^ROLLBACK|^SAVEPOINT|^USE|^DO SLEEP|@x|HANDLER|^PRAGMA|DELIMITER|DETACH/,
  },
  { name: 'a change of all rows', pattern: /WHERE (TRUE|1=1)|SET v=0$|SET v=9$|^DELETE FROM u$|^TRUNCATE/ },
  { name: 'any other write', pattern: /^/ },
];

/** By the names of their kinds. */
export function judgedByKind(engine: Engine): ReadonlyMap<Kind, readonly WallStatement[]> {
  const classified = statementsFor(engine).filter(
    each => each.class !== 'read' && each.walls === 'measured' && each.flavor !== 'mysql' && !harmless.has(each.sql),
  );
  const found = new Map<Kind, WallStatement[]>(kinds.map(kind => [kind, []]));
  for (const statement of classified) {
    const kind = kinds.find(({ pattern }) => pattern.test(statement.sql));
    if (kind !== undefined) found.get(kind)?.push(statement);
  }
  return found;
}
