/** SQLite: for each write that ends badly, compares what is said with what remains. */

import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { needsLinux } from '../../needs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { busyChildren, sqliteChildren } from '../sqlite/busy-children.ts';
import { openFile } from '../sqlite/engine.ts';
import { temporaryFolder, withDriver } from '../sqlite/temporary-folder.ts';
import { type Case, testOutcomes } from './cases.ts';

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

  const cases: readonly Case<null>[] = [
    { name: 'out of time', sql: endless, timeoutSeconds: 1, said: 'timeout', stays: false },
    {
      name: 'cancelled',
      sql: endless,
      said: 'cancelled',
      stays: false,
      trouble: async (_, leave) => {
        await busy();
        leave();
      },
    },
    {
      name: 'closed by us',
      sql: endless,
      said: 'not_connected',
      stays: false,
      trouble: async (_, __, database) => {
        await busy();
        await database.close();
      },
    },
    {
      name: 'the child killed',
      sql: endless,
      said: 'query_failed',
      stays: false,
      words: /nothing of it stays/,
      trouble: async () => {
        await busy();
        await killChild();
      },
    },
    { name: 'refused', sql: 'insert into u values (1), (1)', said: 'query_failed', stays: false },
    {
      name: 'the child killed in the commit',
      sql: one,
      said: 'outcome_unknown',
      stays: false,
      before: blockCommit,
      trouble: async () => {
        await commits();
        await killChild();
      },
    },
    {
      name: 'closed by us in the commit',
      sql: one,
      said: 'outcome_unknown',
      stays: false,
      before: blockCommit,
      trouble: async (_, __, database) => {
        await commits();
        await database.close();
      },
    },
    {
      name: 'cancelled in the commit, which is waited for',
      sql: one,
      said: 'done',
      stays: true,
      before: blockCommit,
      trouble: async (_, leave) => {
        await commits();
        leave();
        letCommit();
      },
    },
    {
      name: 'out of time in the commit, which is refused',
      sql: one,
      timeoutSeconds: 3,
      said: 'locked',
      stays: false,
      before: blockCommit,
    },
    {
      name: 'alone, the child killed',
      sql: endless,
      session: 'alone',
      said: 'outcome_unknown',
      stays: false,
      trouble: async () => {
        // A child is also busy while it starts.
        await until(isLocked, 'the statement writes');
        await killChild();
      },
    },
    {
      name: 'alone, refused',
      sql: 'insert into nowhere values (1)',
      session: 'alone',
      said: 'query_failed',
      stays: false,
    },
  ];

  testOutcomes(
    {
      world: () => null,
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
