/** What another program notices on SQLite of definitions that nobody was asked about. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { openFile } from '../../engines/sqlite/engine.ts';
import { executeOn, SqliteFile } from '../../sqlite-file.ts';
import { asking, honest, setUp } from '../defined-sqlite-statements.ts';
import { unaskedChangesNothing } from './frame.ts';
import { definitions } from './sqlite-definitions.ts';
import { answersOf, workload } from './sqlite-workload.ts';

describe('unasked definitions change nothing that another program reads or writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-fuzz-'));
  const base = join(folder, 'before.db');
  let copies = 0;
  const copy = () => join(folder, `${copies}.db`);
  beforeAll(() => {
    const file = new SqliteFile(base, { enableDoubleQuotedStringLiterals: true });
    file.exec(setUp);
    file.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  unaskedChangesNothing({
    workload,
    definitions,
    honest,
    // The other program's statements don't look into an index's settings.
    asking: asking.map(({ sql }) => sql),
    noticed: [
      'alter table orders add column true int default 0',
      'alter table orders add column "new" text',
      'alter table orders add column rowid int',
      'alter table orders add column gross real default 0',
      'alter table logins add column late text',
      'alter table outbox add column late text not null default (nullif(1, 1))',
      'alter table outbox add column late int check (late > 0) default 0',
      'create unique index bomb on outbox (body)',
      'create unique index bomb on orders (kind, status)',
      "create index bomb on outbox (json_extract(body, '$'))",
      'create table json_each (value)',
      'alter table outbox add column late int references mine_not_yet',
      'create table child (of int references accounts (email))',
      'pragma user_version = 7',
      'drop view both',
    ],
    async renew() {
      rmSync(copy(), { force: true });
      copies += 1;
      copyFileSync(base, copy());
    },
    define: async sql => executeOn(copy(), sql),
    answers: async () => answersOf(copy()),
    open: () => openFile(copy()),
  });
});
