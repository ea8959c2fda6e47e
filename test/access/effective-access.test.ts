import { describe, expect, test } from '@jest/globals';
import { aiPolicies, externalClientsLevels } from '../../daemon/access/connection.ts';
import { effectiveAccess } from '../../daemon/access/effective-access.ts';
import { scopes } from '../../daemon/access/tokens/token.ts';
import { connectionWith, principalWith } from './principals.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const allowlists = { all: 'all', listed: [connectionWith().id], 'not listed': ['another'], empty: [] } as const;
const writeUntils = { 'no end': null, later: '2026-11-20T12:00:01Z', past: '2026-11-20T12:00:00Z' } as const;

/**
 * Spec §6 as a table: the lower of scope and level, and nothing if anything hides the connection.
 */
function expected(scope: string, level: string, policy: string, list: string, until: string): string {
  if (level === 'blocked' || policy === 'never' || list === 'not listed' || list === 'empty') return 'hidden';
  const mayWrite = scope !== 'readOnly' && level === 'readWrite' && until !== 'past';
  return `${mayWrite ? 'readWrite' : 'readOnly'}${policy === 'askEachTime' ? ', ask first' : ''}`;
}

describe('effective access is the lower of scope and level, and nothing if anything hides the connection', () => {
  const rows = scopes.flatMap(scope =>
    externalClientsLevels.flatMap(level =>
      aiPolicies.flatMap(policy =>
        Object.keys(allowlists).flatMap(list =>
          Object.keys(writeUntils).map(until => [scope, level, policy, list, until] as const),
        ),
      ),
    ),
  );

  test.each(rows)(
    'scope %s, level %s, policy %s, connection %s, write access %s',
    (scope, level, policy, list, until) => {
      const connections = allowlists[list as keyof typeof allowlists];
      const writeUntil = writeUntils[until as keyof typeof writeUntils];
      const access = effectiveAccess(
        principalWith({ scope, connections }),
        connectionWith({ externalClients: { level, writeUntil }, aiPolicy: policy }),
        now,
      );
      const said = access.kind === 'hidden' ? 'hidden' : `${access.level}${access.askFirst ? ', ask first' : ''}`;
      expect(said).toBe(expected(scope, level, policy, list, until));
    },
  );
});

test('whatever limits a read-only access is named, the connection first', () => {
  const readOnlyConnection = connectionWith();
  const writable = connectionWith({ externalClients: { level: 'readWrite', writeUntil: null } });
  expect(effectiveAccess(principalWith({ scope: 'readOnly' }), readOnlyConnection, now)).toMatchObject({
    limitedBy: 'connection',
  });
  expect(effectiveAccess(principalWith({ scope: 'readOnly' }), writable, now)).toMatchObject({ limitedBy: 'token' });
  expect(effectiveAccess(principalWith({ scope: 'readWrite' }), writable, now)).toMatchObject({ limitedBy: 'nothing' });
});
