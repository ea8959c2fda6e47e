/**
 * What is decided about a fitting role without a server: its name, how names are written, and that
 * no failure repeats a secret.
 */

import { describe, expect, test } from '@jest/globals';
import type { CallContext, Database, DatabaseFailure, WantedRole } from '../../../daemon/engines/engine.ts';
import { planRole } from '../../../daemon/engines/mysql/role.ts';
import { postgresName } from '../../../daemon/engines/postgres/role/steps.ts';
import { scramVerifier } from '../../../daemon/engines/postgres/role.ts';
import { fittingRoleName, withoutStatement } from '../../../daemon/engines/role.ts';

test.each([
  ['Shop', 'sallyport_ro_shop'],
  ['Größe 数据', 'sallyport_ro_gro_e'],
  ['数据', 'sallyport_ro'],
  [`'; DROP ROLE "x" -- \\ % $sallyport$`, 'sallyport_ro_drop_role_x_sallypo'],
  ['a'.repeat(64), `sallyport_ro_${'a'.repeat(19)}`],
])('%j is called %s', (connection, role) => {
  expect(fittingRoleName(connection, 'readOnly')).toBe(role);
  expect(role).toMatch(/^[a-z0-9_]{1,32}$/);
});

test.each([
  ['shop', '"shop"'],
  ['a"b\\c', '"a""b\\c"'],
  ['a\nb"\\', 'U&"a\\+00000ab""\\+00005c"'],
  ['\\u{a}', 'U&"\\+00005cu{a}"'],
  ['\u202e', 'U&"\\+00202e"'],
  ['\u{e0001}', 'U&"\\+0e0001"'],
])('%j is written %s', (name, written) => {
  expect(postgresName(name)).toBe(written);
});

test('a verifier is the one of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  // Computed from the exchange in its §3: the proof and the server signature there come from these
  // keys.
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

describe('a server’s message about a statement with a secret in it', () => {
  test.each([
    {
      kind: 'query_failed',
      message: `syntax error at "DO"\nDetail: DO 'CREATE ROLE … SCRAM-SHA-256$4096:abc'`,
      code: '42601',
    },
    { kind: 'query_failed', message: 'It failed.', said: 'it failed at SCRAM-SHA-256$', code: '42601' },
    { kind: 'not_connected', message: 'lost at SCRAM-SHA-256$' },
    { kind: 'outcome_unknown', reason: 'SCRAM-SHA-256$' },
  ] as const)('%j isn’t repeated', failure => {
    expect(JSON.stringify(withoutStatement(failure, /SCRAM-SHA-256/))).not.toContain('SCRAM');
  });

  test('a server with another grammar repeats neither password nor hash', async () => {
    const wanted: WantedRole = { name: 'x', access: 'readOnly', schemas: null, statementSeconds: 1 };
    const context = { client: 'test', signal: new AbortController().signal } as CallContext;
    for (const version of ['8.0.11-TiDB', '10.11.6-MariaDB']) {
      const planned = await planRole(quotingServer(version), context, wanted);
      if (planned.kind !== 'done') throw new Error(planned.kind);
      const made = await planned.value.make('the-password');
      expect(made).toMatchObject({ kind: 'failed', stays: null });
      expect(JSON.stringify(made)).not.toMatch(/the-password|\*[0-9A-F]{8}/);
    }
  });
});

/** No server installed here quotes a refused CREATE USER in its error. */
function quotingServer(version: string): Database {
  return {
    async run({ sql }: { readonly sql: string }, sink: Parameters<Database['run']>[1]) {
      if (sql.startsWith('SELECT VERSION')) sink.row({ json: JSON.stringify([version, 'root@%']), cuts: [] });
      else if (sql.includes('SCHEMATA')) sink.row({ json: '["shop"]', cuts: [] });
      else if (sql.startsWith('CREATE')) {
        const said = `You have an error in your SQL syntax near '${sql.slice(20)}' at line 1`;
        const message = `${said} (It runs in no transaction: what it had done before the error stays.)`;
        return { kind: 'query_failed', message, said, stays: true, code: '1064' } satisfies DatabaseFailure;
      }
      return { kind: 'done', rowsAffected: null, cutByWire: false, warnings: [] };
    },
  } as unknown as Database;
}
