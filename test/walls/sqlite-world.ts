/** SQLite behind the walls: a file in a folder of its own, copied from the fixture's file. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../daemon/engines/engine.ts';
import { connectionWith } from '../access/principals.ts';
import { openFile } from '../engines/sqlite/engine.ts';
import { withDriver } from '../engines/sqlite/temporary-folder.ts';
import { fixture } from './statements.ts';
import { type State, seenThrough, type World } from './world.ts';

const settings = [
  'foreign_keys',
  'query_only',
  'cache_size',
  'recursive_triggers',
  'busy_timeout',
  'trusted_schema',
  'journal_mode',
  'synchronous',
  'locking_mode',
  'max_page_count',
  'writable_schema',
];

const session = `select ${settings.map(name => `(select * from pragma_${name})`).join(', ')},
  'a' like 'A', (select count(*) from sqlite_temp_schema), (select group_concat(name) from pragma_database_list)`;

export function sqliteWorld(): World {
  let folder = '';
  let opened: Database | null = null;
  const outside = () => join(folder, 'outside');
  const file = () => join(folder, 'inside', 'wall.db');
  const listed = (path: string): string =>
    readdirSync(path, { recursive: true })
      .map(name => `${name}:${statSync(join(path, String(name))).size}`)
      .sort()
      .join(',');

  return {
    engine: 'sqlite',
    accounts: ['owner of the file'],
    place: sql => sql.replaceAll('/srv/out/adv', outside()).replaceAll('/srv/out', outside()),
    async start() {
      folder = mkdtempSync(join(tmpdir(), 'sallyport-walls-'));
      withDriver(join(folder, 'made.db'), driver => driver.exec(fixture('sqlite')));
      await this.reset();
    },
    async stop() {
      await opened?.close();
      opened = null;
      rmSync(folder, { recursive: true, force: true });
    },
    connection: account => connectionWith({ name: account, filePath: file(), engine: 'sqlite' }),
    database() {
      opened ??= openFile(file());
      return opened;
    },
    async reset() {
      await opened?.close();
      opened = null;
      for (const path of [outside(), join(folder, 'inside')]) {
        rmSync(path, { recursive: true, force: true });
        mkdirSync(path);
      }
      copyFileSync(join(folder, 'made.db'), file());
    },
    async state(account): Promise<State> {
      return {
        file: createHash('sha256').update(readFileSync(file())).digest('hex'),
        files: [listed(outside()), listed(join(folder, 'inside')), existsSync('/srv/out')].join(' '),
        session: await seenThrough(this.database(account), session),
      };
    },
  };
}
