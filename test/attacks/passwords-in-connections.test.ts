/**
 * Threat: a person pastes a password into a connection, in some form, and it becomes part of a
 * field that clients see. Each form goes through the command to a real daemon, some to the built
 * one. Afterwards no answer and no file except the one for secrets holds a piece of it. At the
 * start a store from an older Sallyport with such a field is searched too.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send, modern as wireModern } from '../clients/http/wire.ts';
import { childrenOf } from '../journeys/databases/three-engines.ts';
import { type Ran, type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { executeOn, SqliteFile } from '../sqlite-file.ts';

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
  `jdbc:postgresql:h?password=${plain}`,
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
  `<postgres://me:${plain}@h/d>`,
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
  `Driver={PostgreSQL Unicode};Server=h;Port=5432;Database=shop;Uid=me;Pwd=${plain};`,
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

describe('an older store', () => {
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
  /** As earlier versions saved it, as a path or in a field. */
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

  test('is searched at the start: a field that may hold a password is kept from clients, and named to the person', async () => {
    // The home of the tests above has a store; these replace its connections.
    const store = new SqliteFile(join(home.home, 'sallyport.db'));
    store.exec('delete from connections');
    const insert = store.prepare('insert into connections (id, name, revision, record) values (?, ?, 1, ?)');
    for (const [index, { name, record: kept }] of [...leaking, ...harmless].entries())
      insert.run(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, name, JSON.stringify(kept));
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
    const doctor = await run('doctor');
    const { checks } = (await json('doctor')) as {
      checks: { name: string; ok: boolean; says: string; remedy: string }[];
    };
    const check = checks.find(({ name }) => name === 'connections');
    expect(check).toMatchObject({ ok: false, remedy: expect.stringContaining('connections remove') });
    expect(doctor.code).toBe(1);
    for (const { name } of leaking.filter(({ name: kept }) => !holdsMark(kept))) {
      expect(status.stderr + status.stdout).toContain(`"${name}"`);
      expect(check?.says).toContain(`"${name}"`);
    }
    expect(check?.says).not.toContain('Fine');

    const shown = (await json('connections', 'list')) as {
      id: string;
      name: string;
      externalClients: { now: string };
    }[];
    expect(shown).toHaveLength(leaking.length + harmless.length);
    for (const { id, externalClients } of shown.filter(({ name }) => !name.startsWith('Fine'))) {
      expect(externalClients.now).toBe('blocked');
      await connections('show', id);
      await connections('test', id);
      expect((await connections('set', id, '--external-clients', 'read-write')).code).toBe(1);
    }
    await run('activity');
    expect(said.filter(holdsMark).map(text => text.slice(0, 200))).toEqual([]);
  }, 120_000);

  test('is fixed by removing the connections, and their text leaves the list of problems', async () => {
    const shown = (await json('connections', 'list')) as { id: string; name: string }[];
    for (const { id, name } of shown)
      if (!name.startsWith('Fine')) expect((await connections('remove', id)).code).toBe(0);
    const { checks } = (await json('doctor')) as { checks: { name: string; ok: boolean }[] };
    expect(checks.find(({ name }) => name === 'connections')).toMatchObject({ ok: true });
  }, 60_000);

  test('is also fixed by another place, which stays blocked until it is opened', async () => {
    await run('stop');
    const store = new SqliteFile(join(home.home, 'sallyport.db'));
    store.exec('delete from connections');
    const [{ record: kept }] = [record('Host', { ...server, host: `me:${plain}@h` })];
    // A new id: a removed one stays removed, whatever the store says.
    store
      .prepare('insert into connections (id, name, revision, record) values (?, ?, 1, ?)')
      .run('00000000-0000-4000-8000-0000000000ff', 'Host', JSON.stringify(kept));
    store.close();
    await run('start');
    expect((await connections('set', 'Host', '--url', `postgres://me@${atPlace}`)).code).toBe(0);
    expect(await json('connections', 'show', 'Host')).toMatchObject({
      host: '127.0.0.1',
      externalClients: { now: 'blocked' },
    });
    expect((await connections('set', 'Host', '--external-clients', 'read-only')).code).toBe(0);
    await run('stop');
    await run('start');
    expect(await json('connections', 'show', 'Host')).toMatchObject({ externalClients: { now: 'readOnly' } });
  }, 60_000);
});

describe('an SQLite file', () => {
  const at = (name: string) => join(home.folder, 'work', name);
  const written = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return name;
  };
  const add = (path: string, ...more: string[]) => connections('add', path, '--name', 'File', ...more);
  const cases: readonly (readonly [what: string, path: () => string, sentence: RegExp])[] = [
    ['that is not there', () => 'nowhere.db', /no file .* --create/],
    ['in a folder that is not there', () => 'no/where.db', /no file/],
    ['that is a folder', () => home.folder, /not a file/],
    ['that is a device', () => '/dev/null', /not a file/],
    ['that is text', () => written('text', 'postgres://me:secret@h/d'), /no SQLite database/],
    ['that begins as one and ends too soon', () => written('short', 'SQLite format'), /no SQLite database/],
    ['that is empty', () => written('empty', ''), /is empty.* --create/],
  ];
  test.each(cases)('%s is refused', async (_, path, sentence) => {
    const { code, stderr } = await add(path());
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect((await connections('show', 'File')).code).toBe(1);
  });

  test.each([
    ['makes the file if it is missing', 'made.db'],
    ['makes a database of an empty file', 'empty'],
    ['uses an existing database unchanged', 'is-one.db'],
  ])('--create %s', async (_, name) => {
    if (name === 'is-one.db') executeOn(at(name), 'create table kept (a)');
    expect(await add(name, '--create', '--external-clients', 'read-write')).toMatchObject({ code: 0 });
    expect(readFileSync(at(name), 'latin1').slice(0, 16)).toBe('SQLite format 3\0');
    expect(read(await connections('test', 'File', '--json'))).toMatchObject({ reachable: true });
    if (name === 'is-one.db') {
      const tables = new SqliteFile(at(name)).values('select name from sqlite_schema');
      expect(tables).toEqual(['kept']);
    }
    await connections('remove', 'File');
  });

  test.each([
    ['not for a server', `postgres://me@${atPlace}`, /create: only an SQLite file/],
    ['not over another file', 'text', /no SQLite database/],
    ['not in a missing folder', 'no/where.db', /folder .* does not exist/],
    ['not in the home', '../home/new.db', /own files/],
  ])('--create does %s', async (_, path, sentence) => {
    const { code, stderr } = await add(path, '--create');
    expect([1, 2]).toContain(code);
    expect(stderr).toMatch(sentence);
  });
});
