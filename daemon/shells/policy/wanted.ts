/** Which connections a policy file means, and what it says of each (spec §6). Judges nothing. */

import type { Connection } from '../../access/connection.ts';
import { foldName } from '../../access/connection-register.ts';
import { matches } from '../../guard/sight.ts';
import type { Policy, PolicyEntry, PolicyFault } from './file.ts';
import { policyKeyNames } from './keys.ts';

/** @returns what each connection that is named gets, in the order of the connections. */
export function wantedOf(
  { connections: entries = [] }: Policy,
  connections: readonly Connection[],
): ReadonlyMap<Connection, PolicyEntry> | PolicyFault {
  const wanted = new Map<Connection, PolicyEntry>();
  for (const [at, entry] of entries.entries()) {
    const meant = connections.filter(({ name }) => isMeant(entry.name, name));
    const field = `connections.${at}.name`;
    if (meant.length === 0) {
      const why = isPattern(entry.name) ? 'no connection has a name like that' : 'there is no connection of that name';
      return { field, why: `${why}; take the entry out, or save the connection first` };
    }
    if (entries.slice(0, at).some(({ name }) => foldName(name) === foldName(entry.name)))
      return { field, why: 'it stands in the file twice; put its keys together' };
    for (const connection of meant) wanted.set(connection, { ...wanted.get(connection), ...saidIn(entry) });
  }
  return new Map(connections.flatMap(each => (wanted.has(each) ? [[each, wanted.get(each) as PolicyEntry]] : [])));
}

export function isPattern(name: string): boolean {
  return name.includes('*');
}

/** An id isn't taken for a name. */
function isMeant(asked: string, name: string): boolean {
  return isPattern(asked) ? matches(asked, name) : foldName(asked) === foldName(name);
}

function saidIn(entry: PolicyEntry): PolicyEntry {
  const said = policyKeyNames.flatMap(key => (entry[key] === undefined ? [] : [[key, entry[key]]]));
  return { name: entry.name, ...Object.fromEntries(said) };
}
