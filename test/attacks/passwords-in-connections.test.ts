/**
 * Threat: a person pastes a password into a connection, in some form, and it becomes part of a
 * field that clients see. Each form goes through the command to a real daemon, some to the built
 * one. Afterwards no answer and no file except the one for secrets holds a piece of it. At the
 * start a store with such a field is searched too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send, modern as wireModern } from '../clients/http/wire.ts';
import { childrenOf } from '../journeys/databases/three-engines.ts';
import { type Ran, type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { SqliteFile } from '../sqlite-file.ts';

/** In each password here, so a piece of one is found too. */
const marks = ['Zq7hunter', 'Xk9tiger'] as const;
const plain = 'Zq7hunter-Xk9tiger';
const atPlace = '127.0.0.1:1/shop';

const encoded = (password: string) => `postgres://me:${encodeURIComponent(password)}@${atPlace}`;

/** Understood: the password is taken out and stored apart, unchanged. */
const understood: readonly (readonly [typed: string, password: string])[] = [
  [`postgres://me:${plain}@${atPlace}`, plain],
  [`postgresql://me:${plain}@${atPlace}`, plain],
  [`POSTGRES://me:${plain}@${atPlace}`, plain],
  [`mysql://me:${plain}@${atPlace}`, plain],
  [`mariadb://me:${plain}@${atPlace}`, plain],
  [` postgres://me:${plain}@${atPlace}`, plain],
  [`postgres://me:${plain}@${atPlace}\n`, plain],
  [`\t\n postgres://me:${plain}@${atPlace}\r\n`, plain],
  [`\u00a0postgres://me:${plain}@${atPlace}\u00a0`, plain],
  [`"postgres://me:${plain}@${atPlace}"`, plain],
  [`'postgres://me:${plain}@${atPlace}'`, plain],
  [`<postgres://me:${plain}@${atPlace}>`, plain],
  [`\`postgres://me:${plain}@${atPlace}\``, plain],
  [`“postgres://me:${plain}@${atPlace}”`, plain],
  [`‘postgres://me:${plain}@${atPlace}’`, plain],
  [` " postgres://me:${plain}@${atPlace} " `, plain],
  [`DATABASE_URL=postgres://me:${plain}@${atPlace}`, plain],
  [`DATABASE_URL="postgres://me:${plain}@${atPlace}"`, plain],
  [`export DATABASE_URL='postgres://me:${plain}@${atPlace}'\n`, plain],
  [`EXPORT  DB = mysql://me:${plain}@${atPlace}`, plain],
  [`postgres://me@${atPlace}?password=${plain}`, plain],
  [`postgres://me@${atPlace}?pwd=${plain}`, plain],
  [`postgres://me@${atPlace}?Password=${plain}`, plain],
  // Half of it reads like an option: the message has neither its name nor its value.
  [`postgres://me@${atPlace}?password=a&hunter=Xk9tiger`, 'a'],
  [`me:${plain}@tcp(127.0.0.1:1)/shop`, plain],
  [`psql "postgres://me:${plain}@${atPlace}"`, plain],
  [`psql postgres://me:${plain}@${atPlace}`, plain],
  [`psql "host=127.0.0.1 port=1 user=me password=${plain}"`, plain],
  [`url: postgres://me:${plain}@${atPlace}`, plain],
  [`"url": "postgres://me:${plain}@${atPlace}",`, plain],
  [`jdbc:postgresql://${atPlace}?user=me&password=${plain}@h`, `${plain}@h`],
  [`postgresql+psycopg2://me:${plain}@${atPlace}`, plain],
  [`jdbc:postgresql://${atPlace}?user=me&password=${plain}`, plain],
  [`JDBC:mysql://me:${plain}@${atPlace}?useSSL=true`, plain],
  [`postgres://${atPlace}?user=me&password=${plain}`, plain],
  [encoded(`${plain}@host`), `${plain}@host`],
  [encoded(`Zq7hunter:/?#[]@% Xk9tiger`), `Zq7hunter:/?#[]@% Xk9tiger`],
  [`host=127.0.0.1 port=1 user=me password=${plain} dbname=shop`, plain],
  [`  host=127.0.0.1 port=1 user=me password=${plain} dbname=shop\n`, plain],
  [`"host=127.0.0.1 port=1 user=me password=${plain} dbname=shop"`, plain],
  [`HOST=127.0.0.1 Port=1 USER=me PassWord=${plain} dbname=shop`, plain],
  [`host = 127.0.0.1 port = 1 user = me password = ${plain} dbname = shop`, plain],
  [`password='Zq7hunter Xk9tiger' host=127.0.0.1 port=1 dbname=shop user=me`, 'Zq7hunter Xk9tiger'],
  [String.raw`host=127.0.0.1 port=1 user=me password='Zq7hunter\'\\=;Xk9tiger'`, String.raw`Zq7hunter'\=;Xk9tiger`],
  [String.raw`host=127.0.0.1 port=1 user=me password=Zq7hunter\ Xk9tiger`, 'Zq7hunter Xk9tiger'],
  [`host=127.0.0.1 port=1 user=me password=${plain}@:/?#% dbname=shop`, `${plain}@:/?#%`],
  [`host=127.0.0.1 port=1 user=me password=${plain}== sslmode=disable`, `${plain}==`],
  [`Driver={PostgreSQL Unicode};Server=127.0.0.1;Port=1;Database=shop;Uid=me;Pwd=${plain};`, plain],
  [`Host=127.0.0.1;Port=1;Username=me;Password="Zq7;hunter Xk9tiger"`, 'Zq7;hunter Xk9tiger'],
];

/** Refused: nothing is saved, and the sentence repeats nothing of it. */
const refused: readonly string[] = [
  '',
  '   ',
  `postgres://me:${marks.join('@')}@${atPlace}`,
  `postgres://me:${marks.join('/')}@${atPlace}`,
  `postgres://me:${marks.join('?')}@${atPlace}`,
  `postgres://me:${marks.join('#')}@${atPlace}`,
  `postgres://me:${marks.join('%')}@${atPlace}`,
  `postgres://me:${marks.join('%zz')}@${atPlace}`,
  `postgres://me:${marks.join('\n')}@${atPlace}`,
  `postgres://me:${plain}`,
  `postgres://me:${plain}@`,
  `postgres:me:${plain}@h/d`,
  `postgres://me:${plain}@a,/d`,
  `postgres://me@h,${plain}:x/d`,
  `postgres://me@h,me:${plain}/d`,
  `postgres://h/d password=${plain}`,
  `postgres://me@h/d ${plain}`,
  `postgres://h/password=${plain}`,
  `postgres://h/d%20password%3D${plain}`,
  `postgres://h/d;pwd=${plain}`,
  `postgres://h?dbname=postgres://me:${plain}%40h`,
  `postgres:///?host=me:${plain}%40h`,
  `postgres://me%3A${plain}%40h/d`,
  `postgres://me%3A${plain}@h/d`,
  `postgres://h/d?user=me%3A${plain}`,
  `postgres://h/d?password=a&Zq7hunter`,
  `postgres://h/d?${plain}`,
  `postgres://h/d?sslmode=${plain}`,
  `postgres://h/d?sslrootcert=/ca/password=${plain}`,
  `mysql://h/d?socket=/run/me:${plain}@h`,
  `jdbc:mysql:h?password=${plain}`,
  `jdbc:sqlserver://h;databaseName=d;user=me;password=${plain}`,
  `oracle://me:${plain}@h/d`,
  `mongodb+srv://me:${plain}@h/d`,
  `psql "postgres://me:${plain}@h/d" -c 'select 1'`,
  `mysql -h h -u me -p${plain} d`,
  `mysql --host=h --user=me --password=${plain} d`,
  `create_engine("postgres://me:${plain}@h/d")`,
  `the url is postgres://me:${plain}@h/d`,
  `export postgres://me:${plain}@h/d`,
  `DATABASE_URL=${plain}`,
  `DATABASE_URL=host=h password=${plain}`,
  `PGPASSWORD=${plain}`,
  `PGPASSWORD=${plain} psql -h h -U me`,
  `PGPASSWORD=${plain} psql postgres://me@h/d`,
  `url: ${plain}`,
  `me:${plain}@cloudsql(p:r:i)/d`,
  `jdbc:postgresql://h/d?x=${plain}@h`,
  `"postgres://me:${plain}@h/d`,
  `{"url":"postgres://me:${plain}@h/d"}`,
  `me:${plain}@h/d`,
  `my_user:${plain}@h/d`,
  `1user:${plain}@h/d`,
  `127.0.0.1:5432:shop:me:${plain}`,
  `*:*:*:me:${plain}`,
  `me/${plain}@h`,
  `-h h -u me -p${plain}`,
  plain,
  `./${plain}`,
  `/tmp/postgres://me:${plain}@h/d`,
  `./password=${plain}`,
  `sqlite:password=${plain}`,
  `sqlite://me:${plain}@h/d`,
  `sqlite:shop.db?key=${plain}`,
  `sqlite:shop.db?${plain}`,
  `file:shop.db?password=${plain}`,
  `host=h user=me password=Zq7hunter Xk9tiger dbname=shop`,
  `host=h user=me password=Zq7hunter Xk9tiger=1`,
  `host=h user=me password='${plain}`,
  `host=h;user=me;password=${plain};dbname=shop`,
  `host=h user=me pass=${plain}`,
  `user=me password=${plain} dbname=shop`,
  `host=h user=me dbname=postgres://me:${plain}@h/d`,
  `host=h user=me dbname='d password=${plain}'`,
  `Driver={SQL Server};Server=h;Port=1433;Database=shop;Uid=me;Pwd=${plain};`,
  `Host=h;Username=me;Password=pw;${plain}=2`,
  `Server=h;Database=shop;User Id=me;Password=${plain};`,
  `Data Source=h;Initial Catalog=shop;User ID=me;Password=${plain}`,
  `DSN=shop;UID=me;PWD=${plain}`,
  `Provider=SQLOLEDB;Password = ${plain}`,
  `Data Source=shop.db;Password=${plain}`,
];

/** Typed where a name, a label or a file's path is expected. */
const elsewhere: readonly (readonly string[])[] = [
  ['--name', `postgres://me:${plain}@h/d`],
  ['--name', `me:${plain}@h`],
  ['--name', `x password=${plain}`],
  ['--name', 'x', '--group', `postgres://me:${plain}@h/d`],
  ['--name', 'x', '--group', `Pwd = ${plain}`],
  ['--name', 'x', '--tag', 'eu', '--tag', `password=${plain}`],
  ['--name', 'x', '--tag', `%70assword%3D${plain}`],
  ['--name', 'x', '--ca', `/x/postgres://me:${plain}@h`],
  ['--name', 'x', `--password=${plain}`],
  ['--name', 'x', `-p${plain}`],
  ['--name', 'x', '--tls', plain],
  ['--name', 'x', '--color', plain],
];

let home: RealHome;
/** Everything that a command or answer said. */
const said: string[] = [];
beforeAll(() => {
  home = realHome();
});
afterAll(() => home.clean());

async function run(...words: string[]): Promise<Ran> {
  const ran = await home.run(words);
  said.push(ran.stdout, ran.stderr);
  return ran;
}

let asked = 0;

/** `sallyport connections …`, mostly without a process of its own. */
async function connections(...words: string[]): Promise<Ran> {
  asked += 1;
  if (asked % 16 === 1) return run('connections', ...words);
  const ran = await home.here(['connections', ...words]);
  said.push(ran.stdout, ran.stderr);
  return ran;
}

async function json(...words: string[]): Promise<unknown> {
  return read(await run(...words, '--json'));
}

function read({ stdout, stderr }: Ran): unknown {
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const files = () =>
  readdirSync(home.home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
const holdsMark = (text: string): boolean => marks.some(mark => text.includes(mark));
const secretsKept = (): Record<string, string> =>
  JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8')).secrets;

async function asClient(): Promise<(tool: string, args?: object) => Promise<string>> {
  const minted = (await json('tokens', 'mint', '--name', `t${said.length}`, '--scope', 'full-access')) as {
    token: string;
  };
  const { port } = (await json('status')) as { port: number };
  return async (tool, args = {}) => {
    const message = wireModern(minted.token, 'tools/call', { name: tool, arguments: args });
    const { text } = await send(`http://127.0.0.1:${port}/mcp`, message);
    said.push(text);
    return text;
  };
}

describe('a pasted connection', () => {
  const saved: string[] = [];
  beforeAll(async () => {
    await run('start');
    await run('settings', 'set', 'limits.requestsPerMinute', '0');
  }, 60_000);

  test.each(understood.map(([typed, password], index) => [typed, password, `Read ${index}`]))(
    'is understood: %j',
    async (typed, password, name) => {
      const { code, stderr } = await connections('add', typed, '--name', name);
      expect([code, stderr]).toEqual([0, expect.stringContaining('was removed')]);
      const { id, ...shown } = read(await connections('show', name, '--json')) as { id: string };
      expect(shown).toMatchObject({
        host: '127.0.0.1',
        port: 1,
        user: 'me',
        filePath: null,
        password: { kind: 'stored' },
      });
      expect(secretsKept()[`password/${id}`]).toBe(password);
      saved.push(name);
    },
  );

  test.each(refused)('is refused: %j', async typed => {
    // With --create the typed text may become a file: the harder case. A bare name may be what the
    // person meant, and is no secret.
    const create = typed === plain || typed === `./${plain}` ? [] : ['--create'];
    // A text that starts with a dash would be an option.
    const { code, stderr } = await connections('add', '--name', 'Refused', ...create, '--', typed);
    expect([1, 2]).toContain(code);
    expect(stderr).toMatch(/^sallyport: .+\.\n/);
    expect(stderr).not.toMatch(/Zq7|Xk9|hunter|tiger/);
  });

  test.each(elsewhere)('is refused in %s %s %s %s', async (...words) => {
    const { code } = await connections('add', `postgres://me@${atPlace}`, ...words);
    expect(code).not.toBe(0);
    const [name = ''] = saved;
    const set = await connections('set', name, ...words);
    expect(set.code).not.toBe(0);
  });

  test('unquoted, so the shell splits it into words, saves nothing', async () => {
    const words = [`host=h`, 'user=me', `password=${plain}`, 'dbname=shop'];
    expect((await run('connections', 'add', ...words, '--name', 'x')).code).toBe(2);
  });

  test('a connection requested by its URL isn’t repeated', async () => {
    for (const words of [['show'], ['test'], ['remove'], ['set', '--color', 'red']] as const) {
      const [word = '', ...more] = words;
      const { code, stderr } = await run('connections', word, `postgres://me:${plain}@h/d`, ...more);
      expect([code, holdsMark(stderr)]).toEqual([1, false]);
    }
  });

  test('no answer, error or list shows a client or person a piece of one', async () => {
    const call = await asClient();
    const listed = await call('list_connections');
    for (const name of saved) {
      expect(listed).toContain(`"${name}"`);
      await call('describe_table', { connection: name, table: 'users' });
      await call('execute_query', { connection: name, sql: 'select 1' });
    }
    for (const name of [saved[0], saved[20], saved.at(-1)].map(String)) {
      expect((await run('connections', 'test', name)).code).toBe(1);
      expect((await run('connections', 'show', name)).code).toBe(0);
    }
    await call('execute_query', { connection: 'Refused', sql: 'select 1' });
    for (const words of [['status'], ['doctor'], ['connections', 'list'], ['activity'], ['tokens', 'list']]) {
      await run(...words);
      await run(...words, '--json');
    }
    expect(said.length).toBeGreaterThan(400);
    expect(said.filter(holdsMark).map(text => text.slice(0, 200))).toEqual([]);
  }, 120_000);

  test('only secrets.json in the home holds one, and no process has one in its arguments or environment', async () => {
    const pids = home.daemons().flatMap(pid => [pid, ...childrenOf(pid).map(child => child.pid)]);
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) {
      for (const file of ['cmdline', 'environ']) {
        expect(holdsMark(readFileSync(`/proc/${pid}/${file}`, 'latin1'))).toBe(false);
      }
    }
    await run('stop');
    expect(files().filter(file => holdsMark(readFileSync(file, 'latin1')))).toEqual([join(home.home, 'secrets.json')]);
  });
});

describe('a store that somebody edited', () => {
  const cwd = '/home/me';
  const record = (name: string, more: object) => ({
    name,
    record: {
      engine: 'sqlite',
      host: null,
      port: null,
      socketPath: null,
      filePath: null,
      database: null,
      user: null,
      databases: 'all',
      tls: { mode: 'disable', caFile: null },
      via: null,
      password: { kind: 'none' },
      statementTimeoutSeconds: null,
      rowLimit: null,
      writeRowLimit: null,
      timeZone: null,
      colour: null,
      group: null,
      tags: [],
      aiPolicy: 'always',
      externalClients: { level: 'readWrite', writeUntil: null },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      ...more,
    },
  });
  const server = { engine: 'postgres', host: '127.0.0.1', port: 1, database: 'shop', user: 'me' };
  const leaking = [
    record('Libpq', { filePath: `${cwd}/host=h user=me password=${plain} dbname=shop` }),
    record('Space', { filePath: `${cwd}/ postgres:/me:${plain}@h/shop` }),
    record('Quoted', { filePath: `${cwd}/"postgres:/me:${plain}@h/shop"` }),
    record('Env', { filePath: `${cwd}/DATABASE_URL=postgres:/me:${plain}@h/shop` }),
    record('Odbc', { filePath: `${cwd}/Driver={PostgreSQL};Server=h;Uid=me;Pwd=${plain};` }),
    record('Pgpass', { filePath: `${cwd}/127.0.0.1:5432:shop:me:${plain}` }),
    record('Userinfo', { filePath: `${cwd}/my_user:${plain}@h/shop` }),
    record('Host', { ...server, host: `me:${plain}@h` }),
    record('Database', { ...server, database: `shop?password=${plain}` }),
    record('User', { ...server, user: `me:${plain}` }),
    record('Group', { ...server, group: `postgres://me:${plain}@h` }),
    record('Tag', { ...server, tags: ['eu', `pwd=${plain}`] }),
    record(`postgres://me:${plain}@h/named`, server),
    record('Socket', { ...server, host: null, socketPath: `/run/password=${plain}` }),
  ];
  const harmless = [record('Fine', server), record('Fine file', { filePath: '/srv/shop@2026.db' })];

  test('is searched at the start: a connection with a field that may hold a password is kept from everybody', async () => {
    // The home of the tests above has a store; these replace its connections.
    const store = new SqliteFile(join(home.home, 'sallyport.db'));
    store.exec('delete from connections');
    const insert = store.prepare('insert into connections (id, name, revision, record) values (?, ?, 1, ?)');
    const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    for (const [index, { name, record: kept }] of [...leaking, ...harmless].entries())
      insert.run(idOf(index), name, JSON.stringify(kept));
    store.close();
    said.length = 0;
    expect((await run('start')).code).toBe(0);

    const call = await asClient();
    const listed = JSON.parse(await call('list_connections'));
    const names = listed.result.structuredContent.connections.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Fine', 'Fine file']);
    for (const { name } of leaking)
      expect(holdsMark((await call('describe_table', { connection: name, table: 'users' })).replaceAll(name, ''))).toBe(
        false,
      );
    said.length = 0;

    const status = await run('status');
    for (const index of leaking.keys()) expect(status.stderr + status.stdout).toContain(idOf(index));
    await run('doctor');
    await run('activity');
    expect(said.filter(holdsMark).map(text => text.slice(0, 200))).toEqual([]);

    for (const index of leaking.keys()) expect((await connections('remove', idOf(index))).code).toBe(0);
    await run('stop');
    await run('start');
    const { stdout, stderr } = await run('status');
    expect(stdout + stderr).not.toContain(idOf(0));
  }, 120_000);
});
