/**
 * Threat: a client with a read-write token empties a table by statements whose text doesn't look
 * dangerous. Each goes from the tool to the file; the count of changed rows refuses it. Honest work
 * runs beside them without asking.
 */

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import { executeQuery } from '../../daemon/clients/mcp/tools/execute-query.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { holdRows } from '../../daemon/statement/held-rows.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { connectionWith, principalWith } from '../access/principals.ts';
import { unheard, unkeptAccount, unrecorded } from '../activity/unrecorded.ts';
import { nobodyAnswers } from '../clients/mcp/nobody-answers.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';
import { attacks, fixture, honest } from './counted-sqlite-statements.ts';

const classifier = judgingInThread();
let folder = '';
let path = '';
let database: Database;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-counted-'));
  withDriver(join(folder, 'made.db'), driver => driver.exec(fixture));
  path = join(folder, 'copy.db');
  startAnew();
  database = openFile(path);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces the file beneath the child, which notices by the file's count of commits. */
function startAnew(): void {
  copyFileSync(join(folder, 'made.db'), path);
}

/** Runs them as a client that has changed nothing yet. */
async function runAll(statements: readonly string[]) {
  const externalClients = { level: 'readWrite', writeUntil: null } as const;
  const connections = await loadConnectionRegister({
    load: async () => [connectionWith({ filePath: path, externalClients })],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const ports = {
    connections,
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    elapsed: () => performance.now(),
    held: holdRows(() => performance.now()),
    now: () => Date.now(),
    ...unrecorded,
    changedRows: unkeptAccount(),
    confirmation: nobodyAnswers(() => Date.now()),
  };
  const request = {
    principal: principalWith({ scope: 'readWrite' }),
    client: 'an attacker',
    signal: new AbortController().signal,
    progress: null,
    requestId: 'r',
    ...unheard,
    channel: { kind: 'none' },
    brought: null,
  } as const;
  const before = rowsIn(path);
  const answers: string[] = [];
  for (const sql of statements) {
    const outcome = await executeQuery(ports).run(request, { connection: 'Shop', sql });
    answers.push(outcome.kind === 'refused' ? saidOf(outcome.refusal, 'readWrite') : outcome.kind);
  }
  return { answers, before, after: rowsIn(path) };
}

let looked = { bytes: Buffer.alloc(0), rows: '' };

/**
 * One text, since that compares a thousand rows quickly. If all bytes are equal, so are all rows:
 * each commit leaves a mark in the file.
 */
function rowsIn(file: string): string {
  const bytes = readFileSync(file);
  if (!bytes.equals(looked.bytes) || existsSync(`${file}-wal`)) looked = { bytes, rows: readRows(file) };
  return looked.rows;
}

function readRows(file: string): string {
  return withDriver(file, driver => {
    const names = driver.values("select name from sqlite_schema where type = 'table' and rootpage > 0");
    const tables = names.map(name => [name, driver.rows(`select * from "${name}"`)]);
    return JSON.stringify(tables, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  });
}

describe('a table under attack stays', () => {
  test.each(attacks.map(sql => [sql]))('%s', async sql => {
    const { answers, before, after } = await runAll([sql]);
    if (after !== before) startAnew();
    expect(answers[0]).toMatch(/^denied: /);
    expect(after === before).toBe(true);
  });

  test('by DELETE with a LIMIT, which Node’s SQLite doesn’t have', async () => {
    const { answers, before, after } = await runAll(['delete from precious where id <= 3 order by id limit 1000']);
    expect(answers[0]).toMatch(/^query_failed: .*takes no ORDER BY and no LIMIT/);
    expect(after === before).toBe(true);
  });

  test('in slices, beyond an hour’s limit', async () => {
    const slices = Array.from(
      { length: 8 },
      (_, at) => `delete from orders where id > ${at * 300} and id <= ${at * 300 + 300}`,
    );
    const { answers } = await runAll(slices);
    expect(answers.filter(answer => answer.startsWith('denied: '))).toHaveLength(5);
    const left = withDriver(path, driver => driver.value('select count(*) from orders'));
    expect(left).toBe(1_500);
  });
});

describe('honest work runs without asking', () => {
  beforeEach(startAnew);
  test.each(honest.map(sql => [sql.slice(0, 150), sql]))('%s', async (_, sql) => {
    const { answers, before, after } = await runAll([sql]);
    expect(answers[0]).toMatch(/^success$/);
    expect(after === before).toBe(false);
  });
});
