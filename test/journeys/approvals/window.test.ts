/**
 * `sallyport allow --follow` in a window of a real terminal (spec §12): the built command under
 * tmux, a real daemon, a real client whose statement waits for the pressed keys.
 */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { destructiveTitle } from '../../../daemon/shells/desk/facts.ts';
import { forgedShell } from '../../attacks/agent-with-a-shell/forged-shell.ts';
import { ranByUser } from '../../clients/mcp/said.ts';
import { needs } from '../../needs.ts';
import { signalEach } from '../../servers/daemons.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { missingForWindows, openWindow, type TmuxWindow, type WindowOptions } from '../terminal/tmux-window.ts';
import { type AskedClient, type CallEnd, connectClient } from './gate.ts';

/** Longer than Enter is ignored. */
const heard = 900;
const quiet = 'Nothing waits. Questions are asked here as they come.';
const passphrase = 'correct horse battery';

needs(missingForWindows()).describe('a window for questions', () => {
  let home: RealHome;
  let token: string;
  const clients: AskedClient[] = [];
  const windows: TmuxWindow[] = [];
  let shops = 0;

  beforeAll(async () => {
    home = realHome();
    const started = await home.run(['start']);
    if (started.code !== 0) throw new Error(started.stderr);
    const minted = ['tokens', 'mint', '--name', 'laptop', '--scope', 'full-access'];
    token = (await home.json<{ token: string }>(minted)).token;
    await connect();
  }, 60_000);
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.end();
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await home.run(['stop']);
    await home.clean();
  }, 60_000);

  async function connect(): Promise<void> {
    const { port } = await home.json<{ port: number }>(['status']);
    clients.unshift(await connectClient('SDK v2, modern', `http://127.0.0.1:${port}/mcp`, token, null));
  }

  async function follow(options?: WindowOptions): Promise<TmuxWindow> {
    const window = await openWindow(home, ['allow', '--follow'], options);
    windows.push(window);
    return window;
  }

  const fileOf = (name: string): string => join(home.folder, `${name}.db`);

  /** A new one each time, since a denial makes a connection quiet for a minute. */
  async function shop(): Promise<string> {
    shops += 1;
    const name = `shop${shops}`;
    const database = new SqliteFile(fileOf(name));
    database.exec('create table orders (id integer primary key); insert into orders values (1), (2), (3);');
    database.close();
    const added = await home.run([
      ...['connections', 'add', `sqlite://${fileOf(name)}`, '--name', name, '--external-clients', 'read-write'],
    ]);
    if (added.code !== 0) throw new Error(added.stderr);
    return name;
  }

  function hasOrders(name: string): boolean {
    const database = new SqliteFile(fileOf(name), { readOnly: true });
    try {
      return database.prepare("select 1 from sqlite_schema where name = 'orders'").get() !== undefined;
    } finally {
      database.close();
    }
  }

  async function drop(connection: string, sql = 'drop table orders', signal?: AbortSignal): Promise<CallEnd> {
    const [client] = clients;
    if (client === undefined) throw new Error('No client is connected');
    const options = signal === undefined ? {} : { signal };
    return client.call('confirm_destructive_operation', { connection, sql }, options);
  }

  test('waits quietly, shows a question in full, and accepts an approval', async () => {
    const [window, connection] = [await follow(), await shop()];
    await window.shows(quiet, `home         ${home.home}`, 'the server, port ');
    await window.press('Tab', 'Enter', 'Left', 'Enter');
    const called = drop(connection);
    const screen = await window.shows('[ Approve ] > [ Deny ]   ', connection);
    const lines = screen.split('\n');
    expect(lines.slice(0, 11)).toEqual([
      destructiveTitle.text,
      'calls itself real client',
      'token        laptop',
      `connection   ${connection}`,
      'tables       orders',
      'length       17 characters, 1 line',
      'why          DROP removes data or schema for good.',
      '',
      '- drops orders (3 rows)',
      '',
      '| drop table orders',
    ]);
    expect(screen).toMatch(/(5:00|4:5\d) left/);
    await wait(heard);
    await window.shows(/4:\d\d left/);
    expect(hasOrders(connection)).toBe(true);
    await window.press('Left');
    await window.shows('> [ Approve ]   [ Deny ]');
    await window.press('Enter');
    expect((await called).isError).toBe(false);
    expect(hasOrders(connection)).toBe(false);
    await window.shows(quiet, `You approved: ${destructiveTitle.text} (${connection},`);
    await window.press('C-c');
    await window.shows('exit 0');
  }, 60_000);

  test('an Enter typed as the question appears answers nothing', async () => {
    const window = await follow();
    await window.shows(quiet);
    // A slow machine may deliver the key too late for the test.
    for (let tries = 0; tries < 5; tries += 1) {
      const connection = await shop();
      const began = performance.now();
      const called = drop(connection);
      await window.shows('[ Approve ] > [ Deny ]');
      await window.press('Left', 'Enter');
      const isEarly = performance.now() - began < 600;
      if (isEarly) {
        await window.shows('> [ Approve ]   [ Deny ]');
        expect(hasOrders(connection)).toBe(true);
      }
      await wait(heard);
      await window.press('Escape');
      await called;
      if (isEarly) break;
    }
  }, 60_000);

  test('shows one of several at a time; Esc, Ctrl-C and Enter on Deny deny; Ctrl-C without a question leaves', async () => {
    const window = await follow();
    const three = [await shop(), await shop(), await shop()];
    await window.shows(quiet);
    const calls = three.map(connection => drop(connection));
    await window.shows('2 more wait');
    await wait(heard);
    await window.press('Escape');
    await window.shows('1 more waits', 'You denied: ');
    await window.press('C-c');
    await window.shows(/statement\?\n/, 'You denied: ');
    await wait(heard);
    await window.press('Enter');
    await window.shows(quiet);
    for (const { text } of await Promise.all(calls)) expect(text).toMatch(/^user_cancelled: /);
    expect(three.map(hasOrders)).toEqual([true, true, true]);
    await window.press('C-c');
    await window.shows('exit 0');
  }, 60_000);

  test('Approve can’t be reached before the end of 100 KB was shown', async () => {
    const [window, connection] = [await follow(), await shop()];
    await window.shows(quiet);
    const lines = Array.from({ length: 800 }, (_, line) => `-- line ${line}`).join('\n');
    const called = drop(connection, `/* ${'x'.repeat(88_000)} */\n${lines}\ndrop table orders`);
    await window.shows('802 lines', 'Scroll to the end to enable Approve.', '    Approve   > [ Deny ]');
    await wait(heard);
    await window.press('Left', 'Enter', 'NPage', 'Enter', 'Down', 'Up', 'Enter');
    await window.shows(/Rows 10 to \d+ of \d+\. Scroll to the end/, '>   Approve     [ Deny ]');
    // Enter is ignored again, since it was meant for a dimmed Approve.
    await window.press('End', 'Enter');
    await window.shows('| drop table orders\n', '> [ Approve ]   [ Deny ]', /Rows \d+ to (\d+) of \1\.\n/);
    await window.press('Home');
    await window.shows('| /* xxx', '> [ Approve ]   [ Deny ]');
    expect(hasOrders(connection)).toBe(true);
    await wait(heard);
    await window.press('Enter');
    expect((await called).isError).toBe(false);
  }, 60_000);

  test('in 40 columns and 10 rows, without colour, a hostile statement moves nothing; a resized window is redrawn', async () => {
    const window = await follow({ columns: 40, rows: 10, environment: { NO_COLOR: '1' } });
    const connection = await shop();
    await window.shows('Nothing waits.');
    const text = '/* \u001b[2J\u001b[H\u202e\u200b\t|\r\n> [ Approve ]   [ Deny ]   4:59 left\n*/ drop table orders';
    const called = drop(connection, text);
    const screen = await window.shows('    Approve   > [ Deny ]', 'first, then approve');
    expect(screen.split('\n')).toHaveLength(10);
    expect(screen.startsWith(`${destructiveTitle.text}\ncalls itself real client\n`)).toBe(true);
    expect(screen).toContain('| /* \\u{1b}[2J\\u{1b}[H\\u{202e}\\u{200b}');
    expect(await window.screen('coloured')).not.toContain('\u001b');
    await window.press('NPage', 'NPage');
    await window.shows('| > [ Approve ]   [ Deny ]   4:59 left');
    await window.resize(30, 6);
    await window.shows('too small');
    await window.press('Left', 'Enter');
    await window.resize(80, 24);
    await window.shows(`${destructiveTitle.text}\n`, '| */ drop table orders', '[ Approve ] > [ Deny ]');
    await window.resize(40, 10);
    await window.shows(`${destructiveTitle.text}\n`, '  [ Approve ] > [ Deny ]');
    await wait(heard);
    await window.press('Escape');
    expect((await called).text).toMatch(/^user_cancelled: /);
    expect(hasOrders(connection)).toBe(true);
  }, 60_000);

  test('a paste, Ctrl-Z and Esc followed by Enter approve nothing', async () => {
    const [window, connection] = [await follow(), await shop()];
    await window.shows(quiet);
    const called = drop(connection);
    await window.shows('[ Approve ] > [ Deny ]');
    await wait(heard);
    await window.paste('\t\r\t\r');
    await window.press('C-z');
    await window.shows('[ Approve ] > [ Deny ]');
    await window.press('Left');
    await window.shows('> [ Approve ]');
    // Sent as one key, as it arrives if both are typed at once.
    await window.press('M-Enter');
    expect((await called).text).toMatch(/^user_cancelled: /);
    expect(hasOrders(connection)).toBe(true);
  }, 60_000);

  test('says that its client withdrew one, and that another window answered one, as another shell hears and answers; a question outlives its window', async () => {
    const shell = await forgedShell(home.home, 'terminal');
    const heardByShell: unknown[] = [];
    shell.onNotification(({ method, params }) => {
      if (method === 'desk.changed') heardByShell.push(params.ended?.because ?? params.asked?.title.text);
    });
    await shell.ask('desk.attach', { answers: true });
    const [first, second] = [await follow(), await follow({ columns: 100, rows: 30 })];
    await Promise.all([first.shows(quiet), second.shows(quiet)]);
    const [left, kept] = [await shop(), await shop()];
    const aborting = new AbortController();
    const leaving = drop(left, 'drop table orders', aborting.signal);
    await Promise.all([first.shows('> [ Deny ]'), second.shows('> [ Deny ]')]);
    aborting.abort();
    await leaving;
    const withdrawn = `Withdrawn by its client: ${destructiveTitle.text} (${left},`;
    await Promise.all([first.shows(quiet, withdrawn), second.shows(quiet, withdrawn)]);

    const called = drop(kept);
    await Promise.all([first.shows('> [ Deny ]'), second.shows('> [ Deny ]')]);
    await first.end();
    const again = await follow();
    await again.shows(destructiveTitle.text, kept, '> [ Deny ]');
    await wait(heard);
    await again.press('Left');
    await again.shows('> [ Approve ]');
    await again.press('Enter');
    await second.shows(quiet, `Approved elsewhere: ${destructiveTitle.text} (${kept},`);
    expect((await called).isError).toBe(false);
    const title = destructiveTitle.text;
    expect(heardByShell).toEqual([title, 'cancelled', title, 'yes']);
    const inShell = drop(await shop());
    await Promise.all([again.shows('> [ Deny ]'), second.shows('> [ Deny ]')]);
    const ids = (await shell.ask('desk.list', {})).asks.map(({ id }) => id);
    expect(await shell.ask('desk.decide', { ids, answer: 'no' })).toMatchObject({ ids, answer: 'no' });
    await Promise.all([again.shows(quiet, 'Denied elsewhere: '), second.shows(quiet, 'Denied elsewhere: ')]);
    expect((await inShell).isError).toBe(true);
    shell.close();
  }, 60_000);

  test('says that the daemon stopped, and is asked again once it is back', async () => {
    const [window, connection] = [await follow(), await shop()];
    await window.shows(quiet);
    const called = drop(connection);
    await window.shows('> [ Deny ]');
    signalEach(home.daemons(), 'SIGKILL');
    expect((await called).isError).toBe(true);
    const gone = `Gone with it: ${destructiveTitle.text} (${connection},`;
    await window.shows('Nothing can be asked since', 'Sallyport is not running', 'Sallyport stopped', gone);
    await home.run(['start']);
    await connect();
    await window.shows(quiet, 'Sallyport runs again');
    const again = drop(connection);
    await window.shows('[ Approve ] > [ Deny ]');
    await wait(heard);
    await window.press('Escape');
    expect((await again).text).toMatch(/^user_cancelled: /);
  }, 60_000);

  test('shows refused requests too, counts one when told to, and each answer does what it says', async () => {
    const [window, connection] = [await follow(), await shop()];
    await window.shows(quiet);
    const lowered = ['connections', 'set', connection, '--external-clients', 'read-only'];
    expect((await home.run(lowered)).code).toBe(0);
    const [client] = clients;
    const send = (id: number) =>
      client?.call('execute_query', { connection, sql: `insert into orders values (${id})` });
    const rows = (): unknown => {
      const database = new SqliteFile(fileOf(connection), { readOnly: true });
      try {
        return database.prepare('select count(*) as n from orders').get();
      } finally {
        database.close();
      }
    };

    expect((await send(10))?.isError).toBe(true);
    const card = await window.shows('Run a write statement?', '[ Count ] > [ Later ]   [ Refuse ]');
    expect(card).toContain('| insert into orders values (10)');
    expect(card).toMatch(/refused +The connection is read only for AI clients\./);
    // Esc leaves it where it is.
    await wait(heard);
    await window.press('Escape');
    await window.shows('Nothing more waits.', 'You left 1 for later; `sallyport allow` shows it.');
    expect(await home.json(['allow'])).toMatchObject([{ waits: false, statement: { class: 'write' } }]);

    expect((await send(11))?.isError).toBe(true);
    await window.shows('| insert into orders values (11)', '> [ Later ]');
    await wait(heard);
    await window.press('Left', 'Enter');
    await window.shows('[ Once ]   [ Run it ]   [ 30 min ] > [ Later ]   [ Refuse ]');
    await wait(heard);
    await window.press('Left', 'Left');
    await window.shows('> [ Run it ]');
    await window.press('Enter');
    await window.shows('Nothing more waits.', 'You ran: Run a write statement? (', 'Ran; 1 row changed.');
    expect(rows()).toEqual({ n: 4 });
    expect((await send(11))?.text).toContain(ranByUser);

    expect((await send(12))?.isError).toBe(true);
    await window.shows('| insert into orders values (12)', '> [ Later ]');
    await wait(heard);
    await window.press('Right', 'Enter');
    await window.shows('Nothing more waits.', 'You refused: Run a write statement? (');
    expect((await send(12))?.text).toMatch(/^denied: The user refused this;/);

    // A question comes first, and the request after it.
    expect((await send(13))?.isError).toBe(true);
    await window.shows('| insert into orders values (13)');
    const other = await shop();
    const called = drop(other);
    await window.shows('[ Approve ] > [ Deny ]', '1 more waits');
    await wait(heard);
    await window.press('Escape');
    expect((await called).isError).toBe(true);
    await window.shows('| insert into orders values (13)', '> [ Later ]');
    expect(rows()).toEqual({ n: 4 });
    for (const { id } of await home.json<{ id: string }[]>(['allow']))
      expect((await home.run(['allow', 'no', id])).stdout).toBe('Refused. A client that asks again is told so.\n');
    await window.shows(quiet, 'Refused elsewhere: Run a write statement? (');
    await window.press('C-c');
    await window.shows('exit 0');
  }, 90_000);

  test('asks for the owner passphrase at each approval; extra keys reach no question', async () => {
    const [first, second] = [await shop(), await shop()];
    const setting = await openWindow(home, ['passphrase', 'set']);
    windows.push(setting);
    await setting.shows('New owner passphrase:');
    await setting.press(passphrase, 'Enter');
    await setting.shows('Type it again:');
    await setting.press(passphrase, 'Enter');
    await setting.shows('Enter to decide later');
    await setting.press('Enter');
    await setting.shows('exit 0');

    const window = await follow();
    await window.shows(quiet);
    const calls = [drop(first), drop(second)];
    await window.shows('1 more waits', '> [ Deny ]');
    const approve = async (): Promise<void> => {
      await wait(heard);
      await window.press('Left');
      await window.shows('> [ Approve ]');
      await window.press('Enter');
      await window.shows('Type the owner passphrase to allow this:');
    };
    await approve();
    await window.press('C-c');
    await window.shows('Not answered: the owner passphrase was not given.', '1 more waits', '> [ Deny ]');
    await approve();
    await window.press('wrong', 'Enter');
    await window.shows('That is not the owner passphrase.');
    // A moment later each of these keys would act on the next question.
    await window.pressAtOnce(passphrase, 'Enter', 'Escape', 'C-c', 'Tab', 'Enter', 'C-d');
    const screen = await window.shows(`You approved: ${destructiveTitle.text} (`, '[ Approve ] > [ Deny ]');
    expect(screen).not.toContain(passphrase);
    await wait(heard);
    await window.shows(`${destructiveTitle.text}\n`, '[ Approve ] > [ Deny ]');
    expect([first, second].filter(hasOrders)).toHaveLength(1);
    await approve();
    await window.press(passphrase, 'Enter');
    await window.shows(quiet);
    for (const { isError } of await Promise.all(calls)) expect(isError).toBe(false);
  }, 90_000);
});
