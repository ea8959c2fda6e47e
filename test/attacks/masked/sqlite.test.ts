/**
 * Masked columns of an SQLite file (spec §6): no attempt with a token that may write shows a masked
 * value, changes one by computing with it, or leaves it where it can be read. What people send
 * without them runs.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { masked } from '../../../daemon/engines/masked.ts';
import { openFile } from '../../engines/sqlite/engine.ts';
import { withDriver } from '../../engines/sqlite/temporary-folder.ts';
import { asked } from '../out-of-sight/ask.ts';
import { resultOf } from '../out-of-sight/result-of.ts';
import { attempts, canary, fixture, held, honest, masks } from './sqlite-statements.ts';

const patienceMilliseconds = 240_000;
/** Refused by name, by its class, for what can't be told, or by SQLite as no statement at all. */
const refused =
  /^denied: It reads |^unsupported: |^forbidden|no such (?:table|column|view)|already exists|circular|syntax error/;

let folder = '';
let database: Database;
let masking: Database;
const file = () => join(folder, 'shop.db');
const made = () => join(folder, 'made.db');

/** All that a program with the file would read where nothing is masked. */
function unmasked(): string {
  let found = '';
  withDriver(file(), driver => {
    const tables = driver
      .prepare("select name from sqlite_schema where type = 'table' and rootpage > 0 and name not like 'sqlite_%'")
      .all();
    for (const { name } of tables) {
      if (/^(?:notes|users|places|docs)_/.test(`${name}`) || name === 'parted') continue;
      const columns = driver.prepare('select name, hidden from pragma_table_xinfo(?)').all(`${name}`);
      const kept = columns.filter(
        each =>
          !/^(?:ssn|token|password_hash|domain|shout)$/.test(`${each.name}`) &&
          !(name === 'users' && each.name === 'email') &&
          !(name === 'codes' && each.name === 'code'),
      );
      found += JSON.stringify(
        driver.prepare(`select ${kept.map(each => `"${each.name}"`).join(', ')} from "${name}"`).all(),
      );
    }
  });
  return found;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-masks-'));
  withDriver(made(), driver => driver.exec(fixture));
  copyFileSync(made(), file());
  database = openFile(file());
  masking = masked(database, masks);
});
beforeEach(() => copyFileSync(made(), file()));
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('masked columns of an SQLite file', () => {
  test(
    'no attempt reads one',
    async () => {
      const sent = Object.values(attempts).flat();
      expect(sent.length).toBeGreaterThanOrEqual(100);
      let before: unknown;
      withDriver(file(), driver => {
        before = driver.prepare(held).get();
      });
      const ends = await asked(
        'sqlite',
        masking,
        sent.map(sql => ({ sql })),
      );
      const said = ({ sql, answer }: { sql: string; answer: string }) =>
        canary.test(answer.split(sql).join('').split(JSON.stringify(sql).slice(1, -1)).join(''));
      expect(ends.filter(said).map(({ sql, answer }) => `${sql}: ${answer}`)).toEqual([]);
      expect(ends.filter(({ end }) => !refused.test(end)).map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      expect(unmasked()).not.toMatch(canary);
      withDriver(file(), driver => {
        expect(driver.prepare(held).get()).toEqual(before);
      });
    },
    patienceMilliseconds,
  );

  test(
    'what people send runs as it does without masks',
    async () => {
      expect(honest.length).toBeGreaterThanOrEqual(80);
      const differ: string[] = [];
      for (const sql of honest) {
        copyFileSync(made(), file());
        const [seen] = await asked('sqlite', masking, [{ sql }]);
        copyFileSync(made(), file());
        const [plain] = await asked('sqlite', database, [{ sql }]);
        if (plain?.end !== 'success') differ.push(`${sql}: ${plain?.end}`);
        if (resultOf(seen?.answer) !== resultOf(plain?.answer)) differ.push(`${sql}: ${seen?.end}`);
      }
      expect(differ).toEqual([]);
    },
    patienceMilliseconds,
  );

  test('a refusal names all columns to leave out, and without them it runs', async () => {
    const [all, some] = await asked('sqlite', masking, [
      { sql: 'select * from users' },
      { sql: 'select id, name, city, label from users' },
    ]);
    expect(all?.end).toMatch(/^denied: It reads users\.email, users\.password_hash, users\.domain and users\.shout, /);
    expect(some?.end).toBe('success');
  });

  test('a refusal names no column behind a view that is shown', async () => {
    const [told] = await asked('sqlite', masking, [{ sql: 'select email, part from users, shown_dates' }]);
    expect(told?.end).toMatch(/^denied: It reads users\.email, /);
  });

  test('a refusal names no table that is out of sight', async () => {
    const path = join(folder, 'hiding.db');
    withDriver(path, driver =>
      driver.exec(`create table people (ssn text primary key, name text, born int);
        create table secret_keys (of_ssn text references people(ssn) on delete cascade, born int);
        insert into people values ('canary-ssn', 'Cleo', 1990); insert into secret_keys values ('canary-ssn', 1990);`),
    );
    const hidden = inSight(openFile(path), { hide: ['secret_*'], only: [], show: [] });
    const kept = masked(hidden, { columns: ['/ssn/'], show: [] });
    try {
      const told = await asked('sqlite', kept, [
        { sql: "delete from people where name = 'Cleo'" },
        { sql: "update people set ssn = 'x' where born = 1990 returning ssn" },
        { sql: 'select name from people join (select 1 as of_ssn) using (of_ssn)' },
        { sql: 'select ssn from people' },
      ]);
      expect(told.map(({ answer }) => answer).join()).not.toMatch(/secret_keys/);
      expect(told[3]?.end).toMatch(/^denied: It reads people\.ssn, /);
    } finally {
      await hidden.close();
    }
  });
});
