/**
 * A client proposes a change of several steps; its person reads it as one page and runs it, with
 * the built command on a real terminal (spec §12, §16). What a plan must not be is tried here, too.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ActivityRowView, AskView } from '../../../shared/control-commands.ts';
import { stillWaits } from '../../clients/mcp/said.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';
import { type BridgeClient, bridgeClient } from './bridge-client.ts';

const passphrase = 'correct horse battery';
const number = 'or Enter to leave it waiting: ';
const yes = [passphrasePrompt, passphrase] as const;

const migration = [
  'create table notes (id integer primary key, body text)',
  "insert into notes (body) values ('a'), ('b')",
  'delete from orders where id <= 3',
  'drop table old',
];

needs(missingForTyping()).describe('a plan', () => {
  let home: RealHome;
  let file: string;
  let client: BridgeClient;

  beforeAll(async () => {
    home = realHome(0, 'owner');
    file = join(home.folder, 'shop.db');
    inFile('create table orders (id integer primary key, note text)');
    expect((await home.run(['start'])).code).toBe(0);
    expect((await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase))).code).toBe(0);
    expect((await home.run(['connections', 'add', `sqlite:${file}`, '--name', 'Shop'])).code).toBe(0);
  }, 60_000);
  afterAll(() => home?.clean());
  beforeEach(async () => {
    inFile('drop table if exists notes; drop table if exists old; create table old (id integer primary key)');
    inFile(
      "delete from orders; insert into orders values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'); insert into old values (1), (2)",
    );
    client = await bridgeClient(home, `agent ${++agents}`);
  }, 60_000);
  afterEach(async () => {
    for (const { id } of await waiting()) await home.run(['allow', 'no', id]);
    await client.close();
  }, 60_000);
  let agents = 0;

  function inFile(sql: string): unknown[] {
    const database = new SqliteFile(file);
    try {
      if (!sql.startsWith('select')) return [void database.exec(sql)];
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
  const tables = () =>
    inFile("select name from sqlite_schema where type = 'table' order by 1").map(
      row => Object.values(row as object)[0],
    );
  const propose = (statements: readonly string[], reason = 'the new notes', from = client) =>
    from.call('propose_changes', { connection: 'Shop', statements, reason });
  const waiting = () => home.json<AskView[]>(['allow']);

  test('of a client is one page, one passphrase and one outcome, also where it may not write', async () => {
    const first = JSON.parse(await propose(migration));
    expect(first).toMatchObject({ state: 'waits', statements: 4, note: expect.stringContaining('Nothing has run.') });
    expect(tables()).toEqual(['old', 'orders']);
    expect(await propose(migration)).toMatch(stillWaits);
    expect(await waiting()).toMatchObject([
      { runsBy: 'owner', lacks: 'connection_level', statement: { statements: 4 } },
    ]);

    const ran = await runOnTerminal(home, ['allow'], [[number, '1'], yes]);
    expect(ran.shown).toMatch(/run a plan of 4: 1\. create table notes /);
    expect(ran.shown).toContain('deletes 3 rows of orders');
    expect(ran.shown).toContain('3: deletes 3 rows of orders');
    expect(ran.shown).toContain('4: drops old (2 rows)');
    expect(ran.shown).toContain('The client says what for: "the new notes"');
    expect(ran.shown).toContain(
      'This runs the plan of 4 statements on "Shop", now and as you: "deletes 3 rows of orders" and 1 more.',
    );
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 5 rows changed.') });
    expect(tables()).toEqual(['notes', 'orders']);

    const told = JSON.parse(await propose(migration));
    expect(told).toMatchObject({ state: 'done', rows_affected: [0, 2, 3, 0] });
    expect(told.note).toMatch(
      /^The user ran this plan at \d\d:\d\d: 4 statements, 5 rows changed; don't send it again\.$/,
    );
    // Another conversation is told, too, and each once: after that the same is a new plan.
    const other = await bridgeClient(home, `agent ${agents}`);
    expect(JSON.parse(await propose(migration, undefined, other)).state).toBe('done');
    await other.close();
    expect(JSON.parse(await propose(['delete from orders'])).state).toBe('waits');
    const rows = await home.json<ActivityRowView[]>(['activity', '--limit', '200']);
    const steps = rows.filter(({ action, outcome }) => action === 'propose_changes' && outcome === 'success');
    expect(steps.filter(({ tokenName }) => tokenName === 'owner')).toHaveLength(4);
  }, 90_000);

  test('that grows while it is looked at is rolled back, and waits again', async () => {
    await propose(migration);
    const grown = [
      passphrasePrompt,
      async () => {
        inFile(
          'insert into old with recursive n (i) as (select 10 union all select i + 1 from n where i < 200) select i from n',
        );
        return passphrase;
      },
    ] as const;
    const held = await runOnTerminal(home, ['allow'], [[number, '1'], grown]);
    expect(held).toMatchObject({ code: 1, shown: expect.stringContaining('so all of it was rolled back') });
    expect(tables()).toEqual(['old', 'orders']);
    expect(inFile('select count(*) as n from orders')).toEqual([{ n: 4 }]);
    const again = await runOnTerminal(home, ['allow'], [[number, '1'], yes]);
    expect(again).toMatchObject({ code: 0, shown: expect.stringContaining('drops old (193 rows)') });
    expect(tables()).toEqual(['notes', 'orders']);
  }, 90_000);

  test('that is refused is told so', async () => {
    await propose(migration);
    const [request] = await waiting();
    expect((await home.run(['allow', 'no', request?.id ?? ''])).code).toBe(0);
    expect(await propose(migration)).toBe(
      'denied: The user refused this; other words for it are the same. Ask them what to do instead.',
    );
    expect(tables()).toEqual(['old', 'orders']);
  }, 60_000);

  test.each([
    [
      'one that ends the transaction',
      ['delete from orders', 'commit', 'drop table old'],
      /^unsupported: Statement 2 of the plan: /,
    ],
    [
      'two statements as one',
      ['delete from orders', 'delete from old; drop table orders'],
      /^unsupported: Statement 2 of the plan: /,
    ],
    ['another file', ['delete from orders', "attach '/tmp/x' as y"], /^unsupported: Statement 2 of the plan: /],
    ['a read', ['select * from orders', 'delete from orders'], /^denied: Statement 1 of the plan: It only reads/],
    ['none', [], /^invalid_argument: /],
    ['more than a person reads', Array(31).fill('delete from orders'), /^invalid_argument: /],
  ])(
    'does not take %s',
    async (_, statements, refusal) => {
      expect(await propose(statements)).toMatch(refusal);
      expect(await waiting()).toEqual([]);
    },
    60_000,
  );

  test('cannot look like another: neither by its reason nor by the text of a step', async () => {
    const reason = `ok\n\n2. select 1\r\n\u202egnihton\u202c\u2028Passphrase: ${'x'.repeat(440)}`;
    const posing = ["delete from orders where note = '\n2. select 1;\n\u202e'", 'drop table old'];
    expect(JSON.parse(await propose(posing, reason)).state).toBe('waits');
    const id = (await waiting()).find(({ statement }) => statement?.statements === 2)?.id ?? '';
    const { drawn } = await runOnTerminal(home, ['allow', 'yes', id], [[passphrasePrompt, '\u0003']]);
    // No line of theirs begins like one of ours, and nothing turns the direction.
    expect(drawn).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028]/);
    expect(drawn).not.toMatch(/^\W{0,4}(?:2\. select 1|Passphrase:)/m);
    expect(drawn).toContain('2. drop table old');
    expect((await home.run(['allow', 'no', id])).code).toBe(0);
    expect(await propose(posing, 'x'.repeat(501))).toMatch(/^invalid_argument: /);
    expect(tables()).toEqual(['old', 'orders']);
  }, 60_000);

  test('is not run by a client, whatever it sends', async () => {
    await propose(migration);
    const [{ id = '' } = {}] = await waiting();
    // Without the passphrase nobody runs it, and a client is never the one who runs.
    expect((await home.run(['allow', 'yes', id])).code).not.toBe(0);
    const guessed = await runOnTerminal(
      home,
      ['allow', 'yes', id],
      [
        [passphrasePrompt, 'a guess'],
        [passphrasePrompt, '\u0003'],
      ],
    );
    expect(guessed.code).not.toBe(0);
    for (const sql of migration) await client.query('Shop', sql);
    expect(tables()).toEqual(['old', 'orders']);
    expect((await home.run(['connections', 'set', 'Shop', '--row-limit', '7'])).code).toBe(0);
    // What it was refused under has changed.
    expect((await waiting()).map(one => one.id)).not.toContain(id);
  }, 90_000);

  test('of a person is a file', async () => {
    const path = join(home.folder, 'migration.sql');
    writeFileSync(path, `-- first; the notes\n${migration.join(';\n')};\n`);
    const ran = await runOnTerminal(home, ['run', 'Shop', path], [yes]);
    expect(ran.shown).toContain('1. -- first; the notes');
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 5 rows changed.') });
    expect(tables()).toEqual(['notes', 'orders']);
    writeFileSync(path, "delete from orders;\n\ninsert into orders values (9, 'x;\n");
    const broken = await home.run(['run', 'Shop', path]);
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('From line 3 on, the file is no whole statement'),
    });
    expect(tables()).toEqual(['notes', 'orders']);
  }, 90_000);

  test('of a person that was refused doesn’t wait, and one that waits from before does', async () => {
    const path = join(home.folder, 'refused.sql');
    writeFileSync(path, 'delete from orders;\ndrop table old;\n');
    for (let time = 0; time < 2; time++)
      expect(await home.run(['run', 'Shop', path])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('The plan waits for you'),
      });
    const id = (await waiting()).find(({ statement }) => statement?.text.includes('refused.sql'))?.id ?? '';
    expect((await home.run(['allow', 'no', id])).code).toBe(0);
    const again = await home.run(['run', 'Shop', path]);
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('You denied this statement a moment ago'),
    });
  }, 90_000);
});
