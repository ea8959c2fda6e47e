/** SQLite: for each write that ends badly, compares what is said with what remains. */

import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { needsLinux } from '../../needs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { busyChildren, sqliteChildren } from '../sqlite/busy-children.ts';
import { openFile } from '../sqlite/engine.ts';
import { temporaryFolder, withDriver } from '../sqlite/temporary-folder.ts';
import { type Case, closes, leaves, once, testOutcomes } from './cases.ts';

needsLinux.describe('SQLite: what is said about a write is true', () => {
  const at = temporaryFolder();
  const file = () => at('outcomes.db');
  /** A reader in the middle of a read; until it ends, no other commit succeeds. */
  let reader: SqliteFile | null = null;
  const blockCommit = () => {
    reader = new SqliteFile(file());
    reader.exec('begin');
    reader.prepare('select count(*) from t').get();
  };
  const letCommit = () => {
    reader?.close();
    reader = null;
  };

  const busy = () => until(async () => (await busyChildren()).length > 0, 'the statement runs');
  /**
   * Looks without waiting: the writer keeps its lock from its first step to the end of its commit.
   */
  const isLocked = (): boolean => {
    const other = new SqliteFile(file(), { timeout: 0 });
    try {
      other.exec('begin immediate');
      return false;
    } catch {
      return true;
    } finally {
      other.close();
    }
  };
  const commits = async () => {
    await until(isLocked, 'the file is locked');
    // Its one row takes far less.
    await wait(300);
  };
  const killChild = async () => {
    for (const { pid } of await sqliteChildren()) process.kill(pid, 'SIGKILL');
  };

  const endless =
    'insert into t with recursive c(x) as (select 1 union all select x + 1 from c) select randomblob(99) from c';
  const one = "insert into t values ('new')";

  const running = once(busy);
  const committing = once(commits);

  const cases: readonly Case[] = [
    ['out of time', endless, 'timeout', 'gone', { seconds: 1 }],
    ['cancelled', endless, 'cancelled', 'gone', { trouble: running(leaves) }],
    ['closed by us', endless, 'not_connected', 'gone', { trouble: running(closes) }],
    // No error of SQLite's.
    ['the child killed', endless, 'query_failed', 'gone', { trouble: running(killChild), has: { code: null } }],
    ['refused', 'insert into u values (1), (1)', 'query_failed', 'gone'],
    [
      'the child killed in the commit',
      one,
      'outcome_unknown',
      'gone',
      { before: blockCommit, trouble: committing(killChild) },
    ],
    [
      'closed by us in the commit',
      one,
      'outcome_unknown',
      'gone',
      { before: blockCommit, trouble: committing(closes) },
    ],
    [
      'cancelled in the commit, which is waited for',
      one,
      'done',
      'stays',
      {
        before: blockCommit,
        trouble: committing(leave => {
          leave();
          letCommit();
        }),
      },
    ],
    ['out of time in the commit, which is refused', one, 'locked', 'gone', { before: blockCommit, seconds: 3 }],
    [
      'alone, the child killed',
      endless,
      'outcome_unknown',
      'gone',
      // A child is also busy while it starts.
      { session: 'alone', trouble: once(() => until(isLocked, 'the statement writes'))(killChild) },
    ],
    ['alone, refused', 'insert into nowhere values (1)', 'query_failed', 'gone', { session: 'alone' }],
  ];

  testOutcomes(
    {
      open: () => openFile(file()),
      prepare: async () => {
        letCommit();
        for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file() + end, { force: true });
        withDriver(file(), database => database.exec('create table t (v); create table u (v primary key)'));
      },
      look: async () => {
        letCommit();
        await until(async () => (await sqliteChildren()).length === 0, 'no child is left');
        const count = 'select (select count(*) from t) + (select count(*) from u)';
        return withDriver(file(), database => database.value(count)) !== 0;
      },
    },
    cases,
  );
});
