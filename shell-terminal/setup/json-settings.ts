/**
 * Databases in JSON settings of a project: ASP.NET's `appsettings.json`, TypeORM's
 * `ormconfig.json`, the connections of SQLTools and MSSQL's neighbours in VS Code's settings.
 */

import { parse } from 'jsonc-parser';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { expanded, type Variables } from './expanded.ts';
import { leaves } from './leaves.ts';
import { inVariables } from './variables.ts';

/** SQLTools' names of what others call so. */
const renamed: Readonly<Record<string, string>> = { driver: 'engine', server: 'host', connectString: 'url' };

/** @param text JSON, also with comments and trailing commas, as VS Code and ASP.NET take it. */
export function inJson(text: string, where: string, shell: Variables, base: PathBase): FoundDatabases {
  const found: unknown = parse(text, [], { allowTrailingComma: true });
  if (!isObject(found) && !Array.isArray(found)) return unusable(where.replace(/^in /, ''), 'It is not JSON.');
  const read = (value: unknown, stem: string): FoundDatabases =>
    inVariables(expanded(Object.fromEntries(leaves(value, stem)), shell), where, base);
  if (Array.isArray(found)) return mergeFound(found.map(each => read(each, 'typeorm')));
  const listed = found['sqltools.connections'];
  const connections = Array.isArray(listed) ? listed.filter(isObject) : [];
  return mergeFound([
    read(found, ''),
    typeof found.type === 'string' ? read(found, 'typeorm') : nothingFound,
    ...connections.map(each =>
      read(Object.fromEntries(Object.entries(each).map(([key, value]) => [renamed[key] ?? key, value])), 'database'),
    ),
  ]);
}
