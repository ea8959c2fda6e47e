/** A policy as shells see it: the one that holds, and how a file differs from it. */

import type { Connection } from '../../access/connection.ts';
import type { PolicyDifferenceView, PolicyHeldView } from '../messages/policy.ts';
import type { CommandPorts } from '../ports.ts';
import type { PolicyDifference } from './difference.ts';
import { policySettings } from './file.ts';
import { type PolicyValue, policyKeyNames, policyKeys } from './keys.ts';
import { isPattern } from './wanted.ts';

export function viewOfDifference({ connections, settings }: PolicyDifference): PolicyDifferenceView {
  const texts = (value: PolicyValue | null): string[] | null =>
    value === null ? null : typeof value === 'object' ? [...value] : [String(value)];
  return {
    connections: connections.map(({ former: { name }, changes }) => ({
      name,
      changes: changes.map(change => ({ ...change, from: texts(change.from), to: texts(change.to) })),
    })),
    settings: settings.map(({ key, from, to, increase }) => ({
      key,
      from: [String(from)],
      to: [String(to)],
      widens: increase !== null,
    })),
  };
}

export function viewOfHeld({ connections, settings, policyFile, now }: CommandPorts): PolicyHeldView {
  const at = now();
  const said: object[] = [];
  const unsaid: PolicyHeldView['unsaid'][number][] = [];
  for (const connection of connections.list()) {
    const { name } = connection;
    // As a name in a file it would mean others too.
    if (isPattern(name)) unsaid.push({ name, why: 'star_in_name' });
    else said.push({ name, ...keysOf(connection, at) });
    if (policyKeyNames.some(key => policyKeys[key].of(connection, at) === null))
      unsaid.push({ name, why: 'write_ends' });
  }
  const current = settings.current();
  const kept = Object.fromEntries(policySettings.map(key => [key, current[key]]));
  return { policy: JSON.stringify({ connections: said, settings: kept }), unsaid, applied: policyFile.applied() };
}

function keysOf(connection: Connection, at: number): object {
  return Object.fromEntries(
    policyKeyNames.flatMap(key => {
      const value = policyKeys[key].of(connection, at);
      return value === null ? [] : [[key, value]];
    }),
  );
}
