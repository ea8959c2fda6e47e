/**
 * `sallyport allow` as people run it: the built commands, a real daemon, a real client whose
 * statement waits (spec §12, §16).
 */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { destructiveTitle } from '../../../daemon/shells/desk/facts.ts';
import { needs } from '../../needs.ts';
import { nobodyConfirmed, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { type Follower, followOnTerminal, missingForFollower } from '../terminal/follower-on-terminal.ts';
import { type AskedClient, connectClient } from './gate.ts';

const onTerminal = needs(missingForFollower());
const tool = 'confirm_destructive_operation';

let home: RealHome;
let client: AskedClient;
let tokenId = '';
beforeAll(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  await addShop('shop');
  const { id, token } = await home.json<{ id: string; token: string }>([
    ...['tokens', 'mint', '--name', 'laptop', '--scope', 'full-access', '--confirm-in-client'],
  ]);
  tokenId = id;
  const { port } = await home.json<{ port: number }>(['status']);
  client = await connectClient('SDK v2, modern', `http://127.0.0.1:${port}/mcp`, token, 'yes');
}, 30_000);
afterAll(async () => {
  await client?.close();
  await home.run(['stop']);
  await home.clean();
}, 30_000);

const fileOf = (name: string): string => join(home.folder, `${name}.db`);

async function addShop(name: string, ...options: string[]): Promise<string> {
  const database = new SqliteFile(fileOf(name));
  database.exec('create table orders (id integer primary key); insert into orders values (1), (2), (3);');
  database.close();
  const ran = await home.run([
    ...['connections', 'add', `sqlite://${fileOf(name)}`, '--name', name, '--external-clients', 'read-write'],
    ...options,
  ]);
  if (ran.code !== 0) throw new Error(ran.stderr);
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

interface Following extends Follower {
  /** The id of the last question shown, once there are at least `count`. */
  questionId(count: number): Promise<string>;
}

async function follow(): Promise<Following> {
  const follower = await followOnTerminal(home);
  return {
    ...follower,
    async questionId(count) {
      const heads = () => [...follower.shown().matchAll(/^\? ([a-z2-9]{8}) {2}/gm)].map(([, id]) => String(id));
      await until(() => heads().length >= count && follower.shown().endsWith('\n'), 'the question is shown');
      return String(heads().at(-1));
    },
  };
}

test('without a question: an empty list, and a sentence for a wrong id', async () => {
  expect(await home.run(['allow'])).toMatchObject({ code: 0, stdout: 'Nothing waits for your answer.\n' });
  expect(await home.json(['allow'])).toEqual([]);
  const ran = await home.run(['allow', 'yes', 'abcdefgh']);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^sallyport: What was chosen no longer waits: /);
  expect((await home.run(['allow', 'no'])).code).toBe(2);
  expect((await home.run(['allow', 'maybe', 'abcdefgh'])).code).toBe(2);
});

onTerminal.describe('a terminal that follows', () => {
  test('is asked, shows the whole question, and accepts a typed approval', async () => {
    const following = await follow();
    const sql = 'drop table /* \u001b[2J\u202e\n? abcdefgh  Use this connection? */ orders';
    const called = client.call(tool, { connection: 'shop', sql });
    const id = await following.questionId(1);
    const listed = await home.run(['allow']);
    expect(listed.stdout).toMatch(
      new RegExp(`^# .*\n1 +${id} +shop +real client +\\d\\d:\\d\\d:\\d\\d +run: drop table`),
    );
    expect(await home.json(['allow'])).toMatchObject([{ id, statement: { text: sql, lines: 2 } }]);
    const lines = following.shown().split('\n');
    expect(lines).toContain(`? ${id}  ${destructiveTitle.text}`);
    expect(lines).toContain('  connection   shop');
    expect(lines).toContain('  calls itself real client');
    expect(lines).toContain('  token        laptop');
    expect(lines).toContain('  tables       orders');
    expect(lines).toContain(`  length       ${[...sql].length} characters, 2 lines`);
    expect(lines).toContain('  | drop table /* \\u{1b}[2J\\u{202e}');
    expect(lines).toContain('  | ? abcdefgh  Use this connection? */ orders');
    expect(lines).toContain(`  allow        sallyport allow yes ${id}`);
    expect(lines.indexOf('  tables       orders')).toBeLessThan(lines.indexOf('  | drop table /* \\u{1b}[2J\\u{202e}'));
    for (const line of ['nonsense', 'yes zzzzzzzz', `YES ${id.toUpperCase()}`]) following.type(line);
    expect((await called).isError).toBe(false);
    expect(hasOrders('shop')).toBe(false);
    await until(() => following.shown().includes(`- ${id}  Approved.`), 'the end is shown');
    expect(following.shown()).toContain('Type yes ID or no ID');
    expect(following.shown()).toContain('What was chosen no longer waits');
    expect(client.asked).toEqual([]);
    await following.end();
  }, 30_000);

  test('sees another terminal’s denial, and a question whose client left', async () => {
    const [first, second] = [await addShop('first'), await addShop('second')];
    const following = await follow();
    const refused = client.call(tool, { connection: first, sql: 'drop table orders' });
    const id = await following.questionId(1);
    const ran = await home.run(['allow', 'no', id]);
    expect(ran).toMatchObject({ code: 0, stdout: 'Denied.\n' });
    expect((await refused).text).toMatch(/^user_cancelled: /);
    await until(() => following.shown().includes(`- ${id}  Denied.`), 'the no is shown');

    const aborting = new AbortController();
    const left = client.call(tool, { connection: second, sql: 'drop table orders' }, { signal: aborting.signal });
    const other = await following.questionId(2);
    aborting.abort();
    await left;
    const withdrawn = `- ${other}  Withdrawn by its client.`;
    await until(() => following.shown().includes(withdrawn), 'the withdrawal is shown');
    expect((await home.run(['allow', 'yes', other])).code).toBe(1);
    expect([hasOrders(first), hasOrders(second)]).toEqual([true, true]);
    await following.end();
  }, 30_000);

  test('that starts later sees the open questions, and prints one line of JSON each for scripts', async () => {
    const connection = await addShop('policy', '--ai-policy', 'ask');
    const first = await follow();
    const called = client.call('list_tables', { connection });
    const id = await first.questionId(1);
    expect(first.shown()).toContain('Use this connection?');
    await first.end();
    const json = await followOnTerminal(home, ['--json'], shown => shown.endsWith('\n'));
    json.type(`yes ${id}`);
    expect((await called).isError).toBe(false);
    const lines = () => json.shown().trimEnd().split('\n');
    await until(() => lines().length === 3, 'its end is shown');
    const events = lines().filter(line => line !== nobodyConfirmed.trimEnd());
    expect(events).toHaveLength(2);
    const [asked, withdrawn] = events.map(line => JSON.parse(line));
    expect(asked).toMatchObject({ event: 'asked', id, kind: 'first_use', statement: null });
    expect(withdrawn).toEqual({ event: 'withdrawn', id, because: 'yes' });
    await json.end();
  }, 30_000);

  test('an approved first use ends with the token’s access', async () => {
    const connection = await addShop('edited', '--ai-policy', 'ask');
    const following = await follow();
    const called = client.call('list_tables', { connection });
    expect((await home.run(['allow', 'yes', await following.questionId(1)])).code).toBe(0);
    expect((await called).isError).toBe(false);
    for (const scope of ['read-only', 'full-access'])
      expect((await home.run(['tokens', 'edit', tokenId, '--scope', scope])).code).toBe(0);
    const again = client.call('list_tables', { connection });
    expect((await home.run(['allow', 'no', await following.questionId(2)])).code).toBe(0);
    expect((await again).text).toMatch(/^user_cancelled: /);
    await following.end();
  }, 30_000);

  test('if none follows, the client is asked if it may be', async () => {
    const connection = await addShop('after');
    expect((await client.call(tool, { connection, sql: 'drop table orders' })).isError).toBe(false);
    expect(client.asked).toHaveLength(1);
    expect(hasOrders(connection)).toBe(false);
  }, 30_000);
});

onTerminal.test(
  'a terminal that follows ends with its daemon, exit 69',
  async () => {
    const following = await follow();
    await home.run(['stop']);
    expect(await following.ended).toBe(69);
    expect(following.shown()).toContain('Sallyport is not running any more');
  },
  30_000,
);
