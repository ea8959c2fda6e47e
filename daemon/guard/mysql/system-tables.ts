/**
 * What the tables of the server's own schemas hold: passwords and other people's statements, or the
 * accounts and code in force.
 */

import type { QualifiedName } from '../types.ts';
import { destructive, forbidden, say, type Verdict } from './verdict.ts';

/** All in lower case, as some servers fold names. */
const secrets: ReadonlyMap<string, readonly [RegExp, string]> = new Map([
  [
    'mysql',
    [
      /^(user|global_priv|password_history|user_history|authentication_\w+|servers|slave_master_info|spider_\w+|federated_\w+|column_stats)$/,
      'holds passwords or their hashes',
    ],
  ],
  [
    'performance_schema',
    [
      /^(keyring_\w+|host_cache|user_variables_by_thread)$/,
      "holds the server's keys, or what other sessions keep to themselves",
    ],
  ],
  [
    'information_schema',
    [
      /^(user_attributes|column_statistics|spider_\w+)$/,
      'holds values of tables that hold passwords, or what accounts keep beside theirs',
    ],
  ],
]);

/** Tables that keep the texts of finished statements, `IDENTIFIED BY 'clear text'` among them. */
const statementTexts: ReadonlyMap<string, RegExp> = new Map([
  ['mysql', /^(general_log|slow_log)$/],
  [
    'performance_schema',
    /^(events_statements_(current|history|history_long)|prepared_statements_instances|error_log)$/,
  ],
  ['information_schema', /^query_cache_info$/],
  ['sys', /^(x\$)?(processlist|session)$/],
]);

const systemSchemas = new Set(['mysql', 'sys', 'performance_schema', 'information_schema']);

export function isSystemSchema(schema: string | null): boolean {
  return schema !== null && systemSchemas.has(schema.toLowerCase());
}

/**
 * @param table with the schema in which the server looks it up.
 * @returns why nobody may read it, or null.
 */
export function secretOf({ schema, name }: QualifiedName): string | null {
  const [inSchema, inName] = [schema?.toLowerCase() ?? '', name.toLowerCase()];
  const shown = `${inSchema}.${inName}`;
  const found = secrets.get(inSchema);
  if (found?.[0].test(inName)) return `${shown} ${found[1]}.`;
  if (inSchema === 'information_schema' && /^innodb_cmp\w*_reset$/.test(inName))
    return `${shown} sets counters of the server back when it is read.`;
  if (statementTexts.get(inSchema)?.test(inName)) {
    return `${shown} keeps other people's statements, passwords in them included.`;
  }
  return null;
}

/**
 * Rows of the `mysql` schema are accounts, grants, stored code and plugins. This holds for every
 * verb that changes them, and also through a view.
 */
export function changeOf({ schema, name }: QualifiedName): Verdict | null {
  if (!isSystemSchema(schema)) return null;
  const inName = name.toLowerCase();
  if (schema?.toLowerCase() === 'mysql' && ['func', 'plugin', 'component', 'event', 'proc'].includes(inName)) {
    return forbidden('These rows of the mysql schema are code that the server loads or runs.');
  }
  return destructive(say("Rows of a system schema are the server's own: accounts, grants and their like."));
}

/**
 * Procedures of the server's own schemas that run strings, end sessions or change what is recorded.
 */
export function procedureOf({ schema, name }: QualifiedName): Verdict | null {
  const inSchema = schema?.toLowerCase();
  const acts = inSchema === 'sys' && /^(execute_prepared_stmt|ps_setup|ps_trunc|create_synonym_db)/i.test(name);
  if (inSchema !== 'mysql' && !acts) return null;
  return forbidden('This procedure runs strings or controls the server.');
}
