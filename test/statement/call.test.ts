/**
 * The limits that a statement runs within (spec §7): the request's, the connection's and the
 * settings'; the least of them holds.
 */

import { expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { type Asked, type Call, callOf } from '../../daemon/statement/call.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker } from '../activity/unrecorded.ts';

function made(asked: Partial<Asked>, connection: Partial<Connection> = {}, tool = 'execute_query'): Call {
  const databases = { of: () => ({}) as Database, forget: async () => {}, close: async () => {} };
  return callOf(
    { databases, limits: () => ({ ...defaultQueryLimits, maxRows: 1_000, maxSeconds: 100 }) },
    {
      reached: {
        connection: connectionWith(connection),
        access: { kind: 'visible', level: 'readOnly', limitedBy: 'nothing', askFirst: false },
      },
      asker: { ...someAsker, tool },
      client: 'test',
      sql: 'SELECT 1',
      signal: new AbortController().signal,
      ...asked,
    },
  );
}

test.each([
  [{}, {}, 500, 'rows'],
  [{ maxRows: 20 }, {}, 20, 'rows'],
  [{ maxRows: 9_000 }, {}, 1_000, 'most rows'],
  [{}, { rowLimit: 10 }, 10, 'most rows of the connection'],
  [{ maxRows: 9_000 }, { rowLimit: 10 }, 10, 'most rows of the connection'],
  [{ maxRows: 9_000 }, { rowLimit: 5_000 }, 1_000, 'most rows'],
] as const)('%j requested of a connection with %j: %d rows, ended by %s', (asked, connection, rows, by) => {
  expect(made(asked, connection)).toMatchObject({ maxRows: rows, rowsEndBy: by });
});

test.each([
  [{}, {}, 'execute_query', 30, 'can-raise'],
  [{ timeoutSeconds: 7 }, {}, 'execute_query', 7, 'can-raise'],
  [{ timeoutSeconds: 900 }, {}, 'execute_query', 100, 'at-maximum'],
  [{}, { statementTimeoutSeconds: 5 }, 'execute_query', 5, 'at-maximum'],
  [{ timeoutSeconds: 50 }, { statementTimeoutSeconds: 5 }, 'execute_query', 5, 'at-maximum'],
  [{ timeoutSeconds: 7 }, {}, 'preview_write', 7, 'fixed'],
] as const)('%j requested of a connection with %j by %s: %d s, %s', (asked, connection, tool, seconds, time) => {
  expect(made(asked, connection, tool)).toMatchObject({ context: { timeoutSeconds: seconds }, time });
});
