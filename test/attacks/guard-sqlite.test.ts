/**
 * Threat: a client makes SQLite do more than its token allows: by code that runs later, by names
 * that mean something else, through tables behind tables, files, plans. Each statement goes the
 * daemon's own way, from the tool to the file, and nobody approves.
 */

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import type { Scope } from '../../daemon/access/tokens/token.ts';
import { startClassifier } from '../../daemon/classifier/classifier.ts';
import { confirmDestructiveOperation } from '../../daemon/clients/mcp/tools/confirm-destructive-operation.ts';
import { executeQuery } from '../../daemon/clients/mcp/tools/execute-query.ts';
import { previewWriteTool } from '../../daemon/clients/mcp/tools/preview-write.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { holdRows } from '../../daemon/statement/held-rows.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { connectionWith, principalWith } from '../access/principals.ts';
import { unheard, unrecorded } from '../activity/unrecorded.ts';
import { nobodyAnswers } from '../clients/mcp/nobody-answers.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { judgedAttacks, judgedReads, judgedWrites } from './authorizer-sqlite-statements.ts';
import { attacks, fixture, honestReads, honestWrites, hostileViews } from './guard-sqlite-statements.ts';

const secret = 'only-in-the-file-outside';
const classifier = startClassifier({
  elapsed: () => performance.now(),
  resident: () => 0,
  report: error => {
    throw error;
  },
});

let folder = '';
let database: Database | null = null;
const file = () => join(folder, 'inside', 'shop.db');
const outside = () => join(folder, 'outside');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-guard-'));
  withDriver(join(folder, 'made.db'), driver => driver.exec(fixture));
  database = openFile(file());
});
beforeEach(() => {
  for (const name of ['inside', 'outside']) {
    rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, name));
  }
  writeFileSync(join(outside(), 'secret.txt'), secret);
  copyFileSync(join(folder, 'made.db'), file());
});
afterAll(async () => {
  await database?.close();
  await classifier.close();
  rmSync(folder, { recursive: true, force: true });
});

type ToolName = 'execute_query' | 'preview_write' | 'confirm_destructive_operation';

/**
 * Makes one call as the daemon serves it.
 * @returns `success` with the answer, or the refusal.
 */
async function call(scope: Scope, name: ToolName, statement: string): Promise<string> {
  const opened = database;
  if (opened === null) throw new Error('No database is open.');
  const level = scope === 'readOnly' ? 'readOnly' : 'readWrite';
  const connections = await loadConnectionRegister({
    load: async () => [connectionWith({ filePath: file(), externalClients: { level, writeUntil: null } })],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const ports = {
    connections,
    databases: { of: () => opened, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    now: () => Date.now(),
    elapsed: () => performance.now(),
    ...unrecorded,
    confirmation: nobodyAnswers(() => Date.now()),
    held: holdRows(() => performance.now()),
  };
  const request = {
    principal: principalWith({ scope }),
    client: 'an attacker',
    signal: new AbortController().signal,
    progress: null,
    requestId: 'r',
    ...unheard,
    channel: { kind: 'none' },
    brought: null,
  } as const;
  const args = { connection: 'Shop', sql: statement.replaceAll('@OUT@', outside()) };
  const tools = {
    execute_query: () => executeQuery(ports).run(request, args),
    preview_write: () => previewWriteTool(ports).run(request, args),
    confirm_destructive_operation: () => confirmDestructiveOperation(ports).run(request, args),
  };
  const outcome = await tools[name]();
  return outcome.kind === 'success' ? `success ${JSON.stringify(outcome)}` : JSON.stringify(outcome);
}

function titleOf(steps: readonly string[]): string {
  return steps.map(step => JSON.stringify(step)).join(', ');
}

/** The bytes of each file in a folder. */
function bytesIn(path: string): Record<string, string> {
  const read = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(path, name)))
      .digest('hex');
  return Object.fromEntries(readdirSync(path).map(name => [name, read(name)]));
}

/**
 * What existed before a client came: the schema, each row, SQLite's own tables and settings. What
 * the client made itself is left out.
 */
function inheritance(): unknown {
  return withDriver(file(), driver => {
    const all = (sql: string) => driver.rows(sql);
    const names = all("select name from sqlite_schema where type = 'table' and name not like 'mine%' order by 1");
    const tables = names.flat().filter(name => name !== 'scratch');
    return {
      schema: all("select type, name, tbl_name, sql from sqlite_schema where name not like 'mine%' order by 1, 2"),
      triggers: all("select name from sqlite_schema where type = 'trigger'"),
      rows: tables.map(name => [name, all(`select * from "${name}" where '${name}' <> 'sqlite_stat1'`)]),
      found: all("select count(*) from notes where notes match 'remember'"),
      settings: ['user_version', 'application_id', 'journal_mode'].map(name => driver.value(`pragma ${name}`)),
    };
  });
}

describe.each(Object.entries({ ...attacks, ...judgedAttacks }))('%s', (_, tried) => {
  beforeEach(() => {
    withDriver(file(), driver => driver.exec(hostileViews));
  });

  test.each(tried.map(steps => [titleOf(steps), steps]))('read only: %s', async (__, steps) => {
    const before = { inside: bytesIn(join(folder, 'inside')), outside: bytesIn(outside()) };
    for (const step of steps) {
      const answers = [await call('readOnly', 'execute_query', step), await call('readWrite', 'preview_write', step)];
      expect(answers.join()).not.toContain(secret);
    }
    expect({ inside: bytesIn(join(folder, 'inside')), outside: bytesIn(outside()) }).toEqual(before);
  });

  test.each(tried.map(steps => [titleOf(steps), steps]))(
    'read and write, without an approval: %s',
    async (__, steps) => {
      const before = {
        inheritance: inheritance(),
        outside: bytesIn(outside()),
        inside: readdirSync(join(folder, 'inside')),
      };
      for (const step of steps) {
        const answers = [
          await call('fullAccess', 'execute_query', step),
          await call('fullAccess', 'confirm_destructive_operation', step),
        ];
        expect(answers.join()).not.toContain(secret);
        expect(answers[1]).not.toContain('success');
      }
      const after = {
        inheritance: inheritance(),
        outside: bytesIn(outside()),
        inside: readdirSync(join(folder, 'inside')),
      };
      expect(after).toEqual(before);
    },
  );
});

test('there are many attacks', () => {
  expect(Object.values({ ...attacks, ...judgedAttacks }).flat().length).toBeGreaterThanOrEqual(160);
});

test('honest reads run', async () => {
  const refused: string[] = [];
  for (const sql of [...honestReads, ...judgedReads]) {
    const answer = await call('readOnly', 'execute_query', sql);
    if (!answer.startsWith('success')) refused.push(`${sql}: ${answer}`);
  }
  expect(refused).toEqual([]);
});

test('honest writes run', async () => {
  const refused: string[] = [];
  for (const sql of [...honestWrites, ...judgedWrites]) {
    const answer = await call('readWrite', 'execute_query', sql);
    if (!answer.startsWith('success')) refused.push(`${sql}: ${answer}`);
  }
  expect(refused).toEqual([]);
});

/** What docs/walls.md lists as not prevented. */
describe('not prevented', () => {
  test('the path of the file: SQLite reveals it', async () => {
    expect(await call('readOnly', 'execute_query', 'pragma database_list')).toContain(file());
  });
});
