/**
 * The reason of a refusal in the log is exact, and quotes nothing from a database, its grammar or
 * an argument.
 */

import { expect, test } from '@jest/globals';
import { reasonOf } from '../../daemon/activity.ts';
import { parseArguments } from '../../daemon/clients/mcp/arguments.ts';
import { buildCatalog } from '../../daemon/clients/mcp/tool-catalog.ts';
import { executeQuery } from '../../daemon/clients/mcp/tools/execute-query.ts';
import type { ToolPorts } from '../../daemon/clients/mcp/tools/tool-ports.ts';
import { lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import { toolError } from '../../daemon/refusal.ts';
import { decide } from '../../daemon/statement/decide.ts';
import { refusalOf } from '../../daemon/statement/failure-refusals.ts';

const access = { kind: 'visible', level: 'readWrite', limitedBy: 'connection', askFirst: false } as const;

test('the reason doesn’t quote a statement that no grammar accepts', async () => {
  const classify = await lazyClassifiers().postgres();
  for (const sql of [`select 1 'geheim)'`, 'select "a" "b" "geheim"" (x)"', 'geheim', 'select 1 geheim geheim']) {
    const decision = decide('execute_query', classify(sql), access);
    if (decision.kind !== 'refused') throw new Error(`${sql} is accepted`);
    expect(JSON.stringify(decision.refusal)).toContain('geheim');
    expect(reasonOf(decision.refusal)).toMatch(/^unsupported: Not valid PostgreSQL/);
    expect(reasonOf(decision.refusal)).not.toContain('geheim');
  }
});

test('a database’s message is left out', () => {
  const failures = [
    { kind: 'query_failed', message: 'near "geheim": syntax error', code: 'SQLITE_ERROR' },
    { kind: 'read_only', message: 'geheim is read only' },
    { kind: 'not_connected', message: 'password geheim refused' },
  ] as const;
  expect(
    failures.map(failure =>
      reasonOf(refusalOf(failure, { name: 'Shop', host: null, socketPath: null, filePath: null })),
    ),
  ).toEqual(['query_failed', 'denied: The statement would write, and what was asked for only reads.', 'not_connected']);
  const preview = toolError('denied', 'The database itself lets this connection only read', ': geheim');
  expect(preview).toMatchObject({ sentence: 'The database itself lets this connection only read: geheim' });
  expect(reasonOf(preview)).toBe('denied: The database itself lets this connection only read');
});

test('an argument of a wrong type is not quoted', () => {
  const entry = buildCatalog([executeQuery({} as ToolPorts)] as never).find('execute_query');
  if (entry === null) throw new Error('no such tool');
  const parsed = parseArguments(entry, { connection: 'x', sql: 'select 1', max_rows: 'select geheim', schema: 7 });
  if (parsed.kind !== 'refused') throw new Error('accepted');
  expect(JSON.stringify(parsed.refusal)).toContain('geheim');
  expect(reasonOf(parsed.refusal)).toMatch(/^invalid_argument: 'max_rows' must be a number$/);
  expect(reasonOf(parsed.refusal)).not.toContain('geheim');
});
