/**
 * Databases in JSON settings of a project: ASP.NET's `appsettings.json`, TypeORM's
 * `ormconfig.json`, Sequelize's `config.json`, the connections of SQLTools and of Microsoft's
 * extension for PostgreSQL in VS Code's settings.
 */

import { type ParseError, parse } from 'jsonc-parser';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { expanded, type Variables } from './expanded.ts';
import { leaves } from './leaves.ts';
import { engineMeant } from './parts.ts';
import { inVariables } from './variables.ts';

/** Their names of what others call so. */
const renamed: Readonly<Record<string, string>> = {
  driver: 'engine',
  dialect: 'engine',
  server: 'host',
  connectString: 'url',
};

const listedIn = (value: unknown): readonly object[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** @param text JSON, also with comments and trailing commas, as VS Code and ASP.NET take it. */
export function inJson(text: string, where: string, shell: Variables, base: PathBase): FoundDatabases {
  const errors: ParseError[] = [];
  const found: unknown = parse(text, errors, { allowTrailingComma: true });
  if (!isObject(found) && !Array.isArray(found)) return unusable(where.replace(/^in /, ''), 'It is not JSON.');
  const read = (value: unknown, stem: string): FoundDatabases =>
    inVariables(expanded(Object.fromEntries(leaves(value, stem)), shell), where, base);
  if (Array.isArray(found)) return mergeFound(found.map(each => read(unnamed(each), 'typeorm')));
  const connections = [
    ...listedIn(found['sqltools.connections']),
    ...listedIn(found['pgsql.connections']).map(each => ({ ...each, driver: 'postgresql' })),
    // One for each environment.
    ...Object.values(found).filter(each => isObject(each) && engineMeant(`${each.dialect ?? each.driver}`) !== null),
  ] as readonly object[];
  const all = mergeFound([
    read(found, ''),
    typeof found.type === 'string' ? read(unnamed(found), 'typeorm') : nothingFound,
    ...connections.map(each => read(unnamed(each), 'database')),
  ]);
  const isTorn = errors.length > 0 && all.candidates.length === 0 && all.unreadable.length === 0;
  return isTorn ? unusable(where.replace(/^in /, ''), 'It is not JSON.') : all;
}

/** With the names that others use, and without the one that the connection itself has. */
function unnamed(each: unknown): unknown {
  if (!isObject(each)) return each;
  const { name: _, ...parts } = each;
  return Object.fromEntries(Object.entries(parts).map(([key, value]) => [renamed[key] ?? key, value]));
}
