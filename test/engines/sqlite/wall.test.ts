/**
 * The read session without any classifier: what it refuses changed nothing, and plain reads run.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openSessions } from '../../../daemon/engines/sqlite/child/session.ts';
import { statementsOf } from '../../guard/statements/table.ts';
import { sqliteHandleRuns } from '../../walls/gaps.ts';
import { collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const sqlFolder = new URL('../../sql/', import.meta.url);
const measured = statementsOf('sqlite').filter(({ walls }) => walls === 'measured');

const at = temporaryFolder();
let database: Database;
const state = () => ({
  files: readdirSync(dirname(at('wall.db'))),
  written: readdirSync(at('out')),
  content: createHash('sha256')
    .update(readFileSync(at('wall.db')))
    .digest('hex'),
});

beforeAll(() => {
  mkdirSync(at('out'));
  const fixture = readFileSync(new URL('fixture-sqlite.sql', sqlFolder), 'utf8');
  withDriver(at('wall.db'), driver => driver.exec(fixture));
  database = openFile(at('wall.db'));
});
afterAll(() => database.close());

describe('the classified statements', () => {
  test.each(measured.map(({ class: kind, sql }) => [kind, sql]))('%s: %j', async (kind, sql) => {
    const before = state();
    const { outcome } = await collect(database, sql.replaceAll('/srv/out', at('out')), {
      most: 100,
      timeoutSeconds: 10,
    });
    expect(outcome.kind === 'done').toBe(kind === 'read');
    expect(state()).toEqual(before);
  });
});

test('with the authorizer off the handle alone prevents all changes to the file', () => {
  const { dev, ino, birthtimeNs } = statSync(at('wall.db'), { bigint: true });
  const [path, before] = [at('wall.db'), state()];
  const file = { path, realPath: path, device: String(dev), inode: String(ino), born: String(birthtimeNs) };
  const ran: string[] = [];
  for (const { sql: stated, class: kind } of measured) {
    if (kind === 'read') continue;
    // A folder that any user may write to, so that only the handle can refuse it.
    const sql = stated.replace("'/etc'", `'${at('out')}'`);
    openSessions().within({ session: 'read', file, lockWaitMilliseconds: 0 }, handle => {
      try {
        handle.within('off', () => handle.prepare(sql.replaceAll('/srv/out', at('out'))).all());
        ran.push(stated);
      } catch (error) {
        expect(String(error)).toMatch(
          /readonly database|too many attached|not authorized|disabled|syntax error|no statements|cannot (?:detach|rollback)/,
        );
      } finally {
        handle.close();
      }
    });
    expect([sql, state()]).toEqual([sql, before]);
  }
  expect(ran.sort()).toEqual([...sqliteHandleRuns].sort());
});

test('settings stay unchanged, however a PRAGMA is written', async () => {
  const names = ['foreign_keys', 'query_only', 'cache_size', 'recursive_triggers', 'busy_timeout', 'trusted_schema'];
  const settings = async () =>
    Promise.all(names.map(async name => (await collect(database, `pragma ${name}`)).rows[0]?.[0]));
  const before = await settings();
  const dressed = names.flatMap(name => [
    `pragma ${name} = 7`,
    `PRAGMA ${name}(7)`,
    `pragma main.${name}=7`,
    `;;\uFEFF pragma -- comment\n "${name}" /* = */ = 7`,
    `explain pragma \`${name}\` = 7`,
    `explain query plan pragma [${name}](7)`,
  ]);
  for (const sql of dressed) expect((await collect(database, sql)).outcome.kind).toBe('read_only');
  expect(await settings()).toEqual(before);
  expect(before).toEqual([1, 1, -16_000, 0, 29_000, 0]);
});

test('getter PRAGMAs and EXPLAIN of anything are reads', async () => {
  const reads = [
    'pragma journal_mode',
    'pragma table_info(t)',
    'pragma main.table_xinfo = t',
    'pragma integrity_check',
    'pragma foreign_key_check',
    'explain select * from t',
    'explain query plan select * from t where id = 1',
    'explain delete from t',
    'values (1), (2)',
    '/* why */ select 1 -- because',
    'select 1;',
  ];
  for (const sql of reads)
    expect([sql, (await collect(database, sql)).outcome]).toEqual([
      sql,
      expect.objectContaining({ kind: 'done', rowsAffected: null }),
    ]);
});

test('transactions, ATTACH and VACUUM INTO are refused in the writing sessions too', async () => {
  const before = state();
  for (const session of ['write', 'alone', 'rollback'] as const) {
    for (const sql of ['begin', 'commit', 'rollback', 'savepoint s', `attach '${at('out/x.db')}' as x`, 'detach x']) {
      expect((await collect(database, sql, { session })).outcome.kind).toBe('unsupported');
    }
  }
  const { outcome } = await collect(database, `vacuum into '${at('out/copy.db')}'`, { session: 'alone' });
  expect(outcome.kind).toBe('unsupported');
  expect(state()).toEqual(before);
});
