/**
 * Threat: a client with a read-write token wants a table gone, by statements that no text shows to be dangerous. Each goes from the
 * tool to the file; the rows that it changes refuse it. Beside them honest work, which runs unasked.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import { executeQuery } from '../../daemon/mcp/tools/execute-query.ts';
import { changedRows } from '../../daemon/query/changed-rows.ts';
import { holdRows } from '../../daemon/query/held-rows.ts';
import { defaultQueryLimits } from '../../daemon/query/limits.ts';
import { connectionWith, principalWith } from '../access/principals.ts';
import { unheard, unrecorded } from '../activity/unrecorded.ts';
import { openFile } from '../databases/sqlite/engine.ts';
import { withDriver } from '../databases/sqlite/temporary-folder.ts';
import { nobodyAnswers } from '../mcp/nobody-answers.ts';
import { judgingInThread } from '../query/judging-in-thread.ts';
import { attacks, fixture, honest } from './counted-sqlite-statements.ts';

const judging = judgingInThread();
let folder = '';
let copies = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-counted-'));
  withDriver(join(folder, 'made.db'), driver => driver.exec(fixture));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runAll(statements: readonly string[]) {
  const path = join(folder, `copy${++copies}.db`);
  copyFileSync(join(folder, 'made.db'), path);
  const database = openFile(path);
  const externalClients = { level: 'readWrite', writeUntil: null } as const;
  const connections = await loadConnectionRegister({
    load: async () => [connectionWith({ filePath: path, externalClients })],
    save: async () => {},
    delete: async () => {},
  });
  const ports = {
    connections,
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    judging,
    limits: () => defaultQueryLimits,
    elapsed: () => performance.now(),
    held: holdRows(() => performance.now()),
    now: () => Date.now(),
    ...unrecorded,
    changedRows: changedRows(() => performance.now()),
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
    answers.push(JSON.stringify(await executeQuery(ports).run(request, { connection: 'Shop', sql })));
  }
  await database.close();
  return { answers, before, after: rowsIn(path) };
}

function rowsIn(path: string): unknown {
  return withDriver(path, driver => {
    const names = driver
      .prepare<[], string>("select name from sqlite_schema where type = 'table' and rootpage > 0")
      .pluck();
    return names.all().map(name => [name, driver.prepare(`select * from "${name}"`).safeIntegers().raw().all()]);
  });
}

describe('a table that is to go stays', () => {
  test.each(attacks.map(sql => [sql]))('%s', async sql => {
    const { answers, before, after } = await runAll([sql]);
    expect(answers[0]).toMatch(/"word":"(denied|confirmation_required|destructive)/);
    expect(after).toEqual(before);
  });

  test('in slices, beyond what an hour allows', async () => {
    const slices = Array.from(
      { length: 8 },
      (_, at) => `delete from orders where id > ${at * 300} and id <= ${at * 300 + 300}`,
    );
    const { answers, after } = await runAll(slices);
    expect(answers.filter(answer => answer.includes('"word":"denied"'))).toHaveLength(5);
    const orders = (after as [string, unknown[]][]).find(([name]) => name === 'orders');
    expect(orders?.[1]).toHaveLength(1_500);
  });
});

describe('honest work runs unasked', () => {
  test.each(honest.map(sql => [sql.slice(0, 150), sql]))('%s', async (_, sql) => {
    const { answers, before, after } = await runAll([sql]);
    expect(answers[0]).toMatch(/^{"kind":"success"/);
    expect(after).not.toEqual(before);
  });
});
