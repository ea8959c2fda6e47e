/**
 * Databases in Rails's `config/database.yml`: one per environment, or several. Values that Ruby
 * computes as it runs are unknown here.
 */

import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { isObject } from '../../shared/json.ts';
import { isPlaceholder, withPlainPlaceholders } from '../../shared/placeholders.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nameFor, nothingFound, unsetVariable, unusable } from './candidate.ts';
import { connectionOfParts, engineMeant } from './parts.ts';

/**
 * Ruby fills it in before it is YAML. Lines between its `if` and `end` may not be there then: their
 * values are unknown, and so is what they would replace.
 */
export function withoutRuby(text: string): string {
  let within = 0;
  const lines = text.split('\n').map(line => {
    const statement = statementOf(line.trim());
    if (statement === null) return within === 0 ? line : withoutValue(line);
    if (statement.startsWith('#')) return '';
    if (/^(?:if|unless|case)\b/.test(statement) || /\bdo\b/.test(statement)) within += 1;
    else if (/^end\b/.test(statement)) within = Math.max(within - 1, 0);
    return '';
  });
  const [first = '', ...others] = lines.join('\n').split('<%');
  return first + others.map(part => `<%%>${part.slice(Math.max(part.indexOf('%>') + 2, 0))}`).join('');
}

/** An anchor or an alias stays: others refer to it. */
function withoutValue(line: string): string {
  const colon = line.indexOf(':');
  const value = line.slice(colon + 1).trim();
  return colon < 1 || value === '' || /^[&*]/.test(value) ? line : `${line.slice(0, colon)}: <%%>`;
}

/** Null for a line that is YAML, or a value that Ruby fills in. */
function statementOf(line: string): string | null {
  const isOne = line.startsWith('<%') && line.indexOf('%>') === line.length - 2;
  return isOne && line.charAt(2) !== '=' ? line.slice(2, -2).replaceAll('-', ' ').trim() : null;
}

export function ofRails(document: unknown, where: string, base: PathBase): FoundDatabases {
  if (!isObject(document)) return nothingFound;
  const { default: _, ...environments } = document;
  return mergeFound(
    Object.entries(environments).flatMap(([name, environment]) => {
      if (!isObject(environment)) return [];
      const isOne = environment.adapter !== undefined || environment.url !== undefined;
      const all = isOne ? [environment] : Object.values(environment).filter(isObject);
      return all.map(settings => ofSettings(settings, `${name} ${where}`, base));
    }),
  );
}

function ofSettings(settings: Record<string, unknown>, from: string, base: PathBase): FoundDatabases {
  const of = (key: string): string | undefined => (settings[key] == null ? undefined : `${settings[key]}`);
  const engine = engineMeant(of('adapter') === 'trilogy' ? 'mysql' : (of('adapter') ?? ''));
  const url = of('url');
  const place = {
    host: of('host'),
    port: of('port'),
    socket: of('socket'),
    user: of('username'),
    database: of('database'),
  };
  const written = url === undefined ? Object.values(place) : [url];
  // A key behind an `if` of its own line has Ruby in it.
  if ([...written, ...Object.keys(settings)].some(text => text?.includes('<%'))) return unsetVariable(from);
  if (url === undefined && (engine === null || place.database === undefined)) return nothingFound;
  const password = isPlaceholder(withPlainPlaceholders(of('password') ?? '')) ? undefined : of('password');
  const connection =
    url !== undefined || engine === null
      ? parseConnectionUrl(url ?? '', base)
      : connectionOfParts(
          { engine, ...place, host: place.socket === undefined ? (place.host ?? 'localhost') : '', password },
          base,
        );
  if (connection.kind === 'refused') return unusable(from, connection.problem);
  return { candidates: [{ name: nameFor(connection.endpoint), from, connection }], unreadable: [] };
}
