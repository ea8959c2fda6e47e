/**
 * A refused request waits for its person, who answers it with the built command on a real terminal
 * (spec §12, §16).
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import type { ActivityRowView, AskView, StatusResult } from '../../../shared/control-commands.ts';
import { beginsWith } from '../../begins-with.ts';
import { ranByUser, stillWaits } from '../../clients/mcp/said.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';
import { bridgeClient } from './bridge-client.ts';

const passphrase = 'correct horse battery';
const which = 'Enter skips: ';
const number = 'or Enter to leave it waiting: ';
const yes = [passphrasePrompt, passphrase] as const;

needs(missingForTyping()).describe('a refused statement', () => {
  let home: RealHome;
  let file: string;
  const clients: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    home = realHome(0, 'owner');
    file = join(home.folder, 'shop.db');
    inFile("create table orders (id integer primary key, note text); insert into orders values (1, 'a'), (2, 'b')");
    expect((await home.run(['start'])).code).toBe(0);
    expect((await typed(['passphrase', 'set'], ...choosing(passphrase))).code).toBe(0);
    expect((await home.run(['connections', 'add', `sqlite:${file}`, '--name', 'Shop'])).code).toBe(0);
  }, 60_000);
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await home.clean();
  });

  const typed = (words: readonly string[], ...answers: (readonly [string, string])[]) =>
    runOnTerminal(home, words, answers);
  const waiting = () => home.json<AskView[]>(['allow']);

  function inFile(sql: string): unknown[] {
    const database = new SqliteFile(file);
    try {
      if (!sql.startsWith('select')) return [void database.exec(sql)];
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
  const notes = () => inFile('select note from orders order by id').map(row => (row as { note: string }).note);

  async function client(name = 'agent', kind: 'v1' | 'v2' = 'v2') {
    const connected = await bridgeClient(home, name, kind);
    clients.push(connected);
    return (sql: string, more?: Readonly<Record<string, unknown>>) => connected.query('Shop', sql, more);
  }

  test.each(['v1', 'v2'] as const)(
    'of a client (SDK %s) waits, is allowed once, and runs once',
    async kind => {
      const send = await client('agent', kind);
      const change = "update orders set note = 'x' where id = 1";
      const first = await send(change);
      expect(first).toMatch(beginsWith(`denied: ${readOnlySentences.connection.says}`));
      expect(first).toMatch(/It waits for them: tell them so, and send the same again once they have answered\.$/);
      for (let time = 0; time < 100; time += 1) expect(await send(change)).toMatch(stillWaits);
      const [request, ...others] = await waiting();
      expect(others).toEqual([]);
      expect(request).toMatchObject({
        client: 'agent',
        token: null,
        lacks: 'connection_level',
        runsBy: 'client',
        times: 101,
        connection: { name: 'Shop' },
        statement: { text: change, class: 'write' },
      });
      const factOf = (label: string) => request?.facts.find(fact => fact.label === label);
      expect(factOf('Why')?.parts).toEqual([{ code: '%@ changes the rows its WHERE picks.', values: ['UPDATE'] }]);
      expect(factOf('Tables')?.value).toBe('orders');
      // Whoever started the bridge is known, whatever the client calls itself.
      expect(factOf('Started by')?.value).toMatch(/\b(jest|processChild)\b/);
      expect((await home.json<StatusResult>(['status'])).waiting).toBe(1);

      // Nothing is allowed without the passphrase, with or without a terminal.
      expect((await home.run(['allow'], { stdin: '1\n' })).code).toBe(0);
      const guessed = await typed(
        ['allow'],
        [number, '1'],
        [passphrasePrompt, 'a guess'],
        [passphrasePrompt, '\u0003'],
      );
      expect(guessed.code).toBe(1);
      expect(await send(change)).toMatch(stillWaits);

      const allowed = await typed(['allow'], [number, '1'], yes);
      expect(allowed.shown).toContain(change);
      expect(allowed.shown).toContain(
        'This lets "agent" run the write statement on "Shop", once: "changes 1 row of orders". Type the owner passphrase',
      );
      expect(allowed).toMatchObject({ code: 0, shown: expect.stringContaining('Allowed.') });
      expect(notes()).toEqual(['a', 'b']);
      expect(await send("update orders set note = 'x' where id = 2")).toContain('denied: ');
      expect(await send(change)).toContain('"rows_affected":1');
      expect(notes()).toEqual(['x', 'b']);
      // Allowed once: the next one asks again.
      expect(await send(change)).toContain('denied: ');
      expect(await send(change)).toMatch(stillWaits);
    },
    90_000,
  );

  test('waits on while its connection gets another name, colour or tags, and what warns of it takes the passphrase', async () => {
    const edit = (...options: string[]) => ['connections', 'set', 'Shop', ...options];
    expect((await home.run(edit('--color', 'red', '--tag', 'production', '--tag', 'eu'))).code).toBe(0);
    const send = await client();
    const change = "update orders set note = 'x' where id = 1";
    expect(await send(change)).toContain('denied: ');
    const shown = async () =>
      (await waiting()).map(({ connection }) => [connection?.name, connection?.colour, connection?.tags]);
    expect(await shown()).toEqual([['Shop', 'red', ['production', 'eu']]]);
    for (const lost of [edit('--color', ''), edit('--color', 'green'), edit('--tag', 'eu'), edit('--tag', '')])
      expect([lost, (await home.run(lost)).code]).toEqual([lost, 1]);
    const alike = ['connections', 'add', `sqlite:${join(home.folder, 'mine.db')}`, '--create', '--name', 'Sh0p'];
    expect(await home.run(alike)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gives a connection the name "Sh0p", which looks like that of "Shop"'),
    });
    expect((await home.run(edit('--tag', 'production', '--tag', 'eu', '--tag', 'mine'))).code).toBe(0);
    expect(await shown()).toEqual([['Shop', 'red', ['production', 'eu', 'mine']]]);
    const renamed = await typed(edit('--color', '', '--name', 'Store'), yes);
    expect(renamed.shown).toContain('takes the colour "red" from "Shop"');
    expect(await shown()).toEqual([['Store', null, ['production', 'eu', 'mine']]]);
    expect((await typed(['allow'], [number, '1'], yes)).shown).toContain('Allowed.');
  }, 90_000);

  test('that is destructive is run by its person, for a client that may not; the client is told', async () => {
    const send = await client();
    expect(await send('delete from orders')).toContain('denied: ');
    expect((await typed(['allow'], [number, '2'])).shown).toContain('Refused.');
    expect(await send('delete from orders')).toMatch(/^denied: The user refused this;/);
    expect(await send('drop table orders')).toContain('denied: ');
    const shown = (await typed(['allow'], [number, '1'], yes)).shown;
    expect(shown).toContain('1 run it now, yourself 2 refuse');
    expect(shown).toContain('This runs the statement on "Shop", now and as you: "drops orders (2 rows)".');
    expect(inFile("select name from sqlite_master where type = 'table'")).toEqual([]);
    expect(await send('drop table orders')).toContain(ranByUser);
    expect(await waiting()).toEqual([]);
    const rows = await home.json<ActivityRowView[]>(['activity', '--since', '1h']);
    expect(rows).toContainEqual(expect.objectContaining({ action: 'request.answer', outcome: 'success' }));
    expect(rows).toContainEqual(expect.objectContaining({ category: 'query', principal: 'owner', outcome: 'success' }));
  }, 90_000);

  test('of a migration is one choice with the others: they run in order under one passphrase, and stop at a failure', async () => {
    const send = await client('migrator');
    const migration = [
      'create table notes (id integer primary key, note text)',
      'insert into notes select id, note from orders',
      'drop table nothing_of_that_name',
      'drop table orders',
    ];
    for (const statement of migration) expect(await send(statement)).toContain('denied: ');
    const ran = await typed(['allow'], [which, '1-4'], [number, '1'], yes);
    for (const statement of migration) expect(ran.shown).toContain(statement);
    expect(ran).toMatchObject({ code: 1, shown: expect.stringContaining('Number 3 did not run.') });
    expect(ran.shown).toContain('1 after it did not run, and still waits.');
    expect(inFile('select note from notes')).toHaveLength(2);
    expect((await waiting()).map(({ statement }) => statement?.text)).toEqual(migration.slice(2));
    expect(await send(migration[1] as string)).toContain(ranByUser);
    expect((await typed(['allow'], [which, '2'], [number, '1'], yes)).code).toBe(0);
    expect(inFile("select name from sqlite_master where name = 'orders'")).toEqual([]);
  }, 90_000);

  test('that needs a higher level can get it for a while, and then all of it runs', async () => {
    const send = await client();
    expect(await send("insert into orders values (3, 'c')")).toContain('denied: ');
    const allowed = await typed(['allow'], [number, '3'], yes);
    expect(allowed.shown).toContain('This lets clients write to "Shop" until');
    expect(await send("insert into orders values (3, 'c')")).toContain('"rows_affected":1');
    expect(await waiting()).toEqual([]);
  }, 60_000);

  test('ends for each client once the person ran the same statement by any door', async () => {
    const [one, two] = [await client('one'), await client('two')];
    const change = 'update orders set note = id where id = 1';
    expect(await one(change)).toContain('denied: ');
    expect(await two(change)).toContain('denied: ');
    expect(await two('drop table orders')).toContain('denied: ');
    const ran = await typed(['query', 'Shop', change], yes);
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 1 row changed.') });
    expect(await one(change)).toContain(ranByUser);
    expect(await two(change)).toContain(ranByUser);
    expect((await waiting()).map(({ statement }) => statement?.text)).toEqual(['drop table orders']);
    expect(notes()).toEqual(['1', 'b']);
  }, 90_000);

  test('is void if its connection changes meanwhile, and a second person is too late', async () => {
    const send = await client();
    const change = "update orders set note = 'x' where id = 1";
    expect(await send(change)).toContain('denied: ');
    const [request] = await waiting();
    expect((await home.run(['connections', 'set', 'Shop', '--row-limit', '10'])).code).toBe(0);
    expect(await waiting()).toEqual([]);
    expect(await send(change)).toContain('denied: ');
    expect((await waiting())[0]?.id).not.toBe(request?.id);
    const [first, second] = await Promise.all([
      typed(['allow'], [number, '1'], yes),
      typed(['allow'], [number, '1'], yes),
    ]);
    expect([first.code, second.code].sort()).toEqual([0, 1]);
    expect(`${first.shown}${second.shown}`).toContain('no longer waits');
    expect(await send(change)).toContain('"rows_affected":1');
    expect(await send(change)).toContain('denied: ');
  }, 90_000);

  test('of a client with Full Access that nobody could be asked about is allowed, within what was shown', async () => {
    const level = ['connections', 'set', 'Shop', '--external-clients', 'read-write', '--for', '1h'];
    expect((await typed(level, yes)).code).toBe(0);
    const minted = await typed(['tokens', 'mint', '--name', 'editor', '--scope', 'full-access', '--json'], yes);
    const token = /sp_[\w-]{43}/.exec(minted.shown)?.[0] ?? '';
    const { port } = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
    const editor = new Client({ name: 'editor', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await editor.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
    clients.push(editor);
    const confirm = async () => {
      const args = { connection: 'Shop', sql: 'delete from orders' };
      const { content } = await editor.callTool({ name: 'confirm_destructive_operation', arguments: args });
      return JSON.stringify(content);
    };
    expect(await confirm()).toContain('denied: ');
    expect((await typed(['allow'], [number, '1'], yes)).shown).toContain('deletes all 2 rows of orders');
    inFile(`insert into orders values ${Array.from({ length: 40 }, (_, at) => `(${at + 3}, 'x')`).join(', ')}`);
    expect(await confirm()).toContain('it would have taken more than the user saw');
    expect(notes()).toHaveLength(42);
    expect((await typed(['allow'], [number, '1'], yes)).shown).toContain('deletes all 42 rows of orders');
    expect(await confirm()).toContain('rows_affected');
    expect(notes()).toEqual([]);
  }, 90_000);

  test('of `sallyport query` runs there, after the passphrase, and is logged as its person’s', async () => {
    expect(await home.run(['query', 'Shop', 'delete from orders'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('On a terminal this command runs it'),
    });
    expect(notes()).toEqual(['a', 'b']);
    const ran = await typed(['query', 'Shop', 'delete from orders'], yes);
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 2 rows changed.') });
    expect(notes()).toEqual([]);
  }, 60_000);

  test('of `sallyport query` is told from that of a client of the same name, sent with a schema', async () => {
    const send = await client('terminal');
    expect(await send('delete from orders', { schema: 'main' })).toContain('denied: ');
    const ran = await typed(['query', 'Shop', 'delete from orders'], yes);
    expect(ran.shown).not.toContain('Schema');
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('Ran; 2 rows changed.') });
    expect(await send('delete from orders', { schema: 'main' })).toMatch(stillWaits);
  }, 60_000);

  test('is shown with what it takes, and needs no confirmation, if the passphrase is off', async () => {
    expect((await typed(['passphrase', 'off'], yes)).code).toBe(0);
    const ran = await runOnTerminal(home, ['query', 'Shop', 'delete from orders where id = 1 or 1'], [], 60);
    expect(ran).toMatchObject({ code: 0, shown: expect.stringContaining('deletes all 2 rows of orders') });
    const send = await client();
    inFile("insert into orders values (1, 'a')");
    expect(await send('drop table orders')).toContain('denied: ');
    const allowed = await runOnTerminal(home, ['allow'], [[number, '1']], 60);
    expect(allowed).toMatchObject({ code: 0, shown: expect.stringContaining('drops orders (1 row)') });
  }, 60_000);

  const secret = "update orders set note = 'x', password = 'hunter2' where id = 2";

  test('waits over a kill and a stop, and runs after its yes; an answer is not kept', async () => {
    const change = "update orders set note = 'x' where id = 1";
    const send = await client();
    expect(await send(change)).toMatch(/It waits for them: [^.]*\.$/);
    const [before] = await waiting();
    await home.end('SIGKILL');
    expect((await home.run(['start'])).code).toBe(0);
    expect(await waiting()).toEqual([before]);
    const again = await client();
    expect(await again(change)).toMatch(stillWaits);
    expect((await typed(['allow'], [number, '1'], yes)).shown).toContain(change);
    expect((await home.run(['restart'])).code).toBe(0);
    // A grant is never read from the store: the client asks again, and the person answers again.
    const third = await client();
    expect(await third(change)).toContain('denied: ');
    expect((await typed(['allow'], [number, '1'], yes)).code).toBe(0);
    expect(await third(change)).toContain('"rows_affected":1');
  }, 90_000);

  test('is not kept with a secret in it, which its client is told', async () => {
    inFile('alter table orders add column password text');
    const send = await client();
    expect(await send(secret)).toMatch(/once they have answered\. A restart of Sallyport forgets it: send it again/);
    expect(await send('update orders set password = ? where id = 2', { parameters: ['hunter2'] })).toContain(
      'forgets it',
    );
    for (const name of ['sallyport.db', 'sallyport.db-wal'])
      expect(readFileSync(join(home.home, name)).includes('hunter2')).toBe(false);
    expect(await waiting()).toHaveLength(2);
    expect((await home.run(['restart'])).code).toBe(0);
    expect(await waiting()).toEqual([]);
  }, 60_000);

  test('that another program wrote or edited in the store asks nobody', async () => {
    const send = await client();
    expect(await send("update orders set note = 'x' where id = 1")).toContain('denied: ');
    expect((await home.run(['stop'])).code).toBe(0);
    const store = new SqliteFile(join(home.home, 'sallyport.db'));
    const changed = store.prepare("select value from store where key = 'waiting-requests'").all() as {
      value: string;
    }[];
    expect(changed[0]?.value).toContain('where id = 1');
    store.exec(
      "update store set value = replace(value, 'where id = 1', 'where id < 9') where key = 'waiting-requests'",
    );
    store.close();
    expect((await home.run(['start'])).code).toBe(0);
    expect(await waiting()).toEqual([]);
    expect(notes()).toEqual(['a', 'b']);
  }, 60_000);
});
