/**
 * What `connections import` and `add` ask on a terminal, and where their questions lead;
 * test/journeys/terminal/setup.test.ts types into the built commands.
 */

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../needs.ts';
import { type Certificates, makeCertificates } from '../servers/certificates.ts';
import { executeOn } from '../sqlite-file.ts';
import type { Ran } from './in-process.ts';
import { realHome } from './real-home.ts';

const home = realHome();
const inWork = (name: string): string => join(home.folder, 'work', name);
beforeAll(async () => {
  executeOn(inWork('shop.db'), 'create table goods (id integer)');
  expect((await home.here(['start'])).code).toBe(0);
}, 30_000);
afterEach(async () => {
  for (const name of await names()) await home.here(['connections', 'remove', name]);
});
afterAll(() => home.clean());

const names = async (): Promise<string[]> =>
  (await home.json<{ name: string }[]>(['connections', 'list'])).map(({ name }) => name);
const typed = (words: readonly string[], ...answers: readonly (readonly [string, string])[]): Promise<Ran> =>
  home.here(words, { typed: answers });

test('an error that no name fixes leads back to the question, and not to another name', async () => {
  const { code, stderr } = await typed(
    ['connections', 'import'],
    ['Save which?', 'abc'],
    ['Save which?', 'x,2'],
    ['Save which?', join(home.home, 'sallyport.db')],
    ['for AI clients', 'inner'],
    ['Save which?', '1'],
    ['for AI clients [shop]', ' '.repeat(2)],
  );
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('There is no file at that path') });
  expect(await names()).toEqual(['shop']);
});

test('an offered name is free, and Enter accepts it', async () => {
  await home.here(['connections', 'add', 'shop.db', '--name', 'Shop']);
  const { code } = await typed(
    ['connections', 'import'],
    ['Paste a URL', 'postgres://clerk@127.0.0.1:1/shop'],
    ['for AI clients [shop-2]', 'SHOP'],
    ['(Enter for none)', ''],
    ['Another name [SHOP-2]', ''],
    ['Keep SHOP-2 anyway?', 'y'],
  );
  expect({ code, names: await names() }).toEqual({ code: 0, names: ['Shop', 'SHOP-2'] });
});

test('add says that its name is taken before it asks for a password, and which option gives another', async () => {
  await home.here(['connections', 'add', 'shop.db', '--name', 'Shop']);
  const { code, stderr } = await typed(['connections', 'add', 'postgres://clerk@127.0.0.1:1/shop']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'sallyport: There is already a connection "Shop"; choose another name with --name.\n',
  });
});

test("Prisma's file: in a .env is a path from the folder of that .env", async () => {
  mkdirSync(inWork('app'));
  copyFileSync(inWork('shop.db'), inWork('app/dev.db'));
  writeFileSync(inWork('app/.env'), 'DATABASE_URL="file:./dev.db"\n');
  const { stdout } = await typed(['connections', 'import', '--env', 'app/.env'], ['Save which?', '']);
  expect(stdout).toMatch(/dev\.db +sqlite +\S+\/work\/app\/dev\.db\n +DATABASE_URL in app\/\.env/);
});

test('new ones are offered if two connections lead to one place', async () => {
  const other = inWork('other.db');
  executeOn(other, 'create table t (a integer)');
  try {
    for (const name of ['Shop', 'Shop-rw']) await home.here(['connections', 'add', 'shop.db', '--name', name]);
    const { stdout } = await typed(['connections', 'import'], ['Save which?', '']);
    expect(stdout).toMatch(/1\W+other +sqlite +\S+\/work\/other\.db/);
  } finally {
    rmSync(other);
  }
});

test('the choice among several servers is stored', async () => {
  await typed(
    ['connections', 'import'],
    ['Save which?', 'postgres://clerk@127.0.0.1:1,127.0.0.1:2/shop?target_session_attrs=read-write'],
    ['for AI clients [shop]', ''],
    ['(Enter for none)', ''],
    ['Keep shop anyway?', 'y'],
  );
  expect(await home.json(['connections', 'show', 'shop'])).toMatchObject({ targetServers: 'read-write' });
});

needs(missingPrograms(['openssl'], 'apt-get install openssl')).describe('a certificate', () => {
  let made: Certificates;
  beforeAll(async () => {
    made = await makeCertificates(join(home.folder, 'certificates'));
  });
  /** Speaks just enough PostgreSQL to show a certificate. */
  const serving = (certificateFile: string, keyFile: string): Promise<Server> =>
    new Promise(resolve => {
      const secret = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
      const server = createServer(socket => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write('S');
            new TLSSocket(socket, { isServer: true, ...secret }).on('error', () => {}).once('data', () => socket.end());
          });
      }).listen(0, '127.0.0.1', () => resolve(server));
    });
  const urlOf = (server: Server): string =>
    `postgres://clerk@127.0.0.1:${(server.address() as AddressInfo).port}/shop?sslmode=verify-full`;

  test('of an unknown authority: its file is asked for again if it can’t be read', async () => {
    const server = await serving(made.serverCertificateFile, made.serverKeyFile);
    const { code, stderr } = await typed(
      ['connections', 'add', urlOf(server)],
      ['(Enter for none)', ''],
      ['certificate authority', 'no-such.crt'],
      ['certificate authority', made.caFile],
      ['Keep shop anyway?', ''],
    );
    server.close();
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no-such.crt could not be read'),
    });
  }, 30_000);

  test('for another name: no authority is asked for', async () => {
    const server = await serving(made.wrongHostCertificateFile, made.wrongHostKeyFile);
    const { code, stderr } = await typed(
      ['connections', 'add', `${urlOf(server)}&sslrootcert=${made.caFile}`],
      ['(Enter for none)', ''],
      ['Keep shop anyway?', ''],
    );
    server.close();
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('is for another name') });
  }, 30_000);
});

test('a placeholder in place of a password is asked about, and refused in a script', async () => {
  const url = 'postgres://postgres:[YOUR-PASSWORD]@127.0.0.1:1/shop';
  const { code, stderr } = await typed(
    ['connections', 'add', url],
    ['(Enter for none)', ''],
    ['Keep shop anyway?', 'y'],
  );
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The password is a placeholder'),
  });
  expect(await home.json(['connections', 'show', 'shop'])).toMatchObject({ password: { kind: 'none' } });
  const inScript = await home.here(['connections', 'add', url, '--name', 'other']);
  expect(inScript).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give the password with --password-stdin'),
  });
});

test('what is here is told as data, without a password, and what is named of it is saved unasked', async () => {
  mkdirSync(join(home.folder, '.cursor'), { recursive: true });
  writeFileSync(join(home.folder, '.pgpass'), '127.0.0.1:1:stock:clerk:geh3im\n', { mode: 0o600 });
  const found = await home.here(['setup', '--json']);
  expect(found.stdout).not.toContain('geh3im');
  const { databases, clients } = JSON.parse(found.stdout);
  const [stock, shop] = ['stock', 'shop'].map(name => databases.find((each: { name: string }) => each.name === name));
  expect(stock).toEqual({
    name: 'stock',
    place: 'postgres  clerk@127.0.0.1:1/stock',
    from: expect.stringMatching(/^~\/\.pgpass, with its password/),
  });
  expect(clients).toContainEqual({
    client: 'cursor',
    title: 'Cursor',
    connected: false,
    file: join(home.folder, '.cursor', 'mcp.json'),
  });
  expect(await names()).toEqual([]);

  await home.here(['connections', 'add', 'shop.db', '--name', 'stock']);
  const saving = ['connections', 'import', '--save', stock.place, '--save', 'postgres  nobody@nowhere/x'];
  const saved = await home.here([...saving, '--save', shop.place]);
  expect(saved.code).toBe(1);
  expect(saved.stdout).toMatch(/^stock-2 is saved\. It can't be reached: /);
  expect(saved.stderr).toContain('Nothing was found at postgres  nobody@nowhere/x');
  expect(`${saved.stdout}${saved.stderr}`).not.toContain('geh3im');
  expect((await home.json<{ saved: unknown }>(['setup'])).saved).toContainEqual({ ...stock, name: 'stock-2' });
  expect(await home.json(['connections', 'show', 'stock-2'])).toMatchObject({ password: { kind: 'stored' } });
  expect(await home.here([...saving.slice(0, 3), stock.place])).toMatchObject({ code: 1, stdout: '' });
  rmSync(join(home.folder, '.pgpass'));
});

test('the time zone of a URL is saved with the connection', async () => {
  const url = 'postgres://clerk@127.0.0.1:1/shop?timezone=Europe/Berlin';
  await home.here(['connections', 'add', url, '--name', 'shop']);
  expect(await home.json(['connections', 'show', 'shop'])).toMatchObject({ timeZone: 'Europe/Berlin' });
  const twice = await home.here(['connections', 'add', url, '--name', 'other', '--time-zone', 'UTC']);
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('both give a time zone') });
});

test('activity shows as many as --limit says, and a second token of one name is reported and named by its id', async () => {
  const rows = await home.json<unknown[]>(['activity', '--limit', '3']);
  expect(rows).toHaveLength(3);
  expect(await home.json<unknown[]>(['activity', '--since', '1h', '--limit', '2'])).toEqual(rows.slice(-2));
  const first = await home.here(['tokens', 'mint', '--name', 'ci']);
  expect(first.stderr).not.toContain('Another token');
  const second = await home.here(['tokens', 'mint', '--name', 'ci']);
  expect(second.stderr).toContain('Another token is called ci too');
  const [id = ''] = /\b[\da-f]{8}\b/.exec(second.stderr) ?? [];
  expect(await home.here(['tokens', 'revoke', 'ci'])).toMatchObject({ code: 1 });
  expect(await home.here(['tokens', 'revoke', id])).toMatchObject({ code: 0 });
  expect(await home.here(['tokens', 'revoke', 'ci'])).toMatchObject({ code: 0 });
});
