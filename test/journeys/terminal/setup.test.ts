/**
 * `sallyport setup`, typed by a person without any connection: the server wants a password and
 * shows a certificate of its own authority.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { StatusResult } from '../../../shared/control-commands.ts';
import { needs } from '../../needs.ts';
import { lockedKey } from '../../servers/certificates.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { executeOn } from '../../sqlite-file.ts';
import { type Answer, choosing, missingForTyping, passphrasePrompt, runOnTerminal } from './typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';
const binaries = findPostgres();
const missing = missingForTyping() ?? ('unavailable' in binaries ? binaries.unavailable : null);

needs(missing).describe('sallyport setup', () => {
  let home: RealHome;
  beforeEach(() => {
    home = realHome(0, 'owner');
  });
  afterEach(() => home.clean(), 30_000);
  const inWork = (name: string): string => join(home.folder, 'work', name);
  const startServer = (): Promise<PostgresServer> => {
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    return lendPostgres();
  };

  test('from nothing to an answered question', async () => {
    const server = await startServer();
    try {
      await server.psql('create table orders (id int); insert into orders values (1), (2)');
      const url = `postgres://${server.superuser}@127.0.0.1:${server.port}/postgres?sslmode=verify-full`;
      writeFileSync(inWork('.env'), `# of the shop\nSHOP_DATABASE_URL="${url}"\n`);
      executeOn(inWork('notes.db'), 'create table note (id integer)');
      writeFileSync(inWork('empty.db'), '');
      const config = join(home.folder, '.claude.json');
      writeFileSync(config, '{"mcpServers": {}}');

      const { code, shown } = await runOnTerminal(
        home,
        ['setup'],
        [
          ['Read .env here as well?', 'y'],
          ['Save which?', '9'],
          ['Save which?', '1'],
          ['for AI clients [shop]:', ''],
          ['(Enter for none)', 'wrong'],
          ['certificate authority', server.certificates.caFile],
          ['Another password', server.password],
          ['Add Sallyport to which?', '1'],
          ...choosing(passphrase),
          ['Create the role sallyport_ro_shop (read-only)', 'y'],
          [passphrasePrompt, passphrase],
        ],
      );
      expect(shown).toContain('shop signs in as sallyport_ro_shop now');
      expect(shown).toMatch(
        /1\S* shop postgres .*SHOP_DATABASE_URL in \.env .*2\S* notes sqlite \S*notes\.db this folder/,
      );
      expect(shown).not.toContain('empty');
      expect(shown).toContain('Only 1 to 2 are on the list.');
      expect(shown).not.toContain(server.password);
      expect(shown).not.toContain(passphrase);
      expect(shown).toContain('The owner passphrase is set.');
      expect((await home.json<StatusResult>(['status'])).passphrase.state).toBe('set');
      expect(shown).toMatch(/shop answers: .*15/);
      expect(shown).toContain('Claude Code: added. Start a new session');
      expect(shown).toContain('Ready. Ask Claude Code: "Which tables are in shop, and what do they hold?"');
      expect(code).toBe(0);

      // The wide role would come back beside the narrow one.
      const again = await runOnTerminal(
        home,
        ['setup'],
        [
          ['Read .env here as well?', 'y'],
          ['Save which?', ''],
        ],
      );
      expect(again.shown).toContain('Sallyport is in Claude Code already.');
      expect(again.shown).toContain('Ready. Ask Claude Code:');
      expect(again.shown).toMatch(/is saved already, as shop, which signs in as sallyport_ro_shop\./);
      expect(again.shown).toMatch(/ 1\S* notes sqlite/);

      const { command } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.sallyport;
      const client = new Client({ name: 'claude-code', version: '1' });
      const env = { PATH: process.env.PATH ?? '', HOME: home.folder, SALLYPORT_HOME: home.home };
      await client.connect(new StdioClientTransport({ command, env, stderr: 'ignore' }));
      const query = { connection: 'shop', sql: 'select count(*) as n, current_user from orders' };
      const answer = await client.callTool({ name: 'execute_query', arguments: query });
      expect(answer.structuredContent).toMatchObject({ rows: [['2', 'sallyport_ro_shop']] });
      await client.close();
    } finally {
      await server.stop();
    }
  }, 90_000);

  test('a role is offered where one can be made: Enter makes none, and neither does a script', async () => {
    const server = await startServer();
    try {
      await server.psql("create role plain login password 'plain-only'");
      await runOnTerminal(home, ['connections', 'import'], [['Paste a URL', '']]);
      await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase));
      const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${server.port}/postgres?sslmode=disable`;
      const add = (user: string, password: string, ...more: readonly Answer[]) =>
        runOnTerminal(
          home,
          ['connections', 'add', urlOf(user), '--name', user],
          [['(Enter for none)', password], ...more],
        );
      const offered = await add(server.superuser, server.password, ['may? [y/N]', '']);
      expect(offered.shown).toMatch(/so that nothing AI clients send can do more than /);
      expect(offered.shown).toContain('Next: `sallyport connect`');
      expect(await server.psql("select count(*) from pg_roles where rolname like 'sallyport%'")).toBe('0');
      // It may make no roles.
      expect((await add('plain', 'plain-only')).shown).not.toContain('Create the role');
      const unasked = await home.run(['connections', 'add', urlOf(server.superuser), '--name', 'scripted', '--json']);
      expect([unasked.code, unasked.stdout]).toEqual([0, expect.not.stringContaining('Create the role')]);
    } finally {
      await server.stop();
    }
  }, 90_000);

  test('a machine without databases is offered the demo, and ? explains at each prompt', async () => {
    const { code, shown } = await runOnTerminal(
      home,
      ['setup'],
      [
        ['type demo for a demo shop', '?'],
        ['type demo for a demo shop', 'demo'],
        ['New owner passphrase: ', ''],
      ],
    );
    expect({ code, shown }).toMatchObject({
      code: 0,
      shown: expect.stringContaining('The demo shop is saved as Demo.'),
    });
    expect(shown).toContain('postgres://me@db.example:5432/shop');
    expect(shown).toContain('Ctrl-C stops; what was saved so far stays.');
    const alone = await runOnTerminal(home, [], [], 60);
    expect(alone.shown).toMatch(
      /Sallyport \S+ \S*is running.*connections\S* Demo \S*clients +\S* none .*Next: `sallyport connect` lists/,
    );
    const lines = alone.drawn.trimEnd().split('\r\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter(line => stripVTControlCharacters(line).length > 60)).toEqual([]);
  }, 60_000);

  test('without anything to protect, setup asks for no passphrase', async () => {
    const { code, shown } = await runOnTerminal(home, ['setup'], [['type demo for a demo shop', '']]);
    expect({ code, shown }).toMatchObject({ code: 0, shown: expect.not.stringContaining('passphrase') });
  }, 30_000);

  test('a typed URL, a taken name, a database that never answers; nothing unwanted is stored', async () => {
    executeOn(inWork('notes.db'), 'create table note (id integer)');
    expect((await home.run(['start'])).code).toBe(0);
    expect((await home.run(['connections', 'add', 'notes.db', '--name', 'notes'])).code).toBe(0);
    const { code, shown } = await runOnTerminal(
      home,
      ['connections', 'import'],
      [
        ['Paste a URL', 'redis://here'],
        ['Paste a URL', 'postgres://clerk@127.0.0.1:1/shop'],
        ['for AI clients [shop]:', 'Notes'],
        ['(Enter for none)', ''],
        ['Another name [Notes-2]:', 'far'],
        ['Keep far anyway?', ''],
      ],
    );
    expect(code).toBe(0);
    expect(shown).toContain('That is not a URL that Sallyport knows');
    expect(shown).toMatch(/far can't be reached/);
    expect((await home.json<{ name: string }[]>(['connections', 'list'])).map(({ name }) => name)).toEqual(['notes']);
  }, 60_000);

  test('a URL’s client certificate is included, and the passphrase of its key is asked for', async () => {
    const server = await startServer();
    try {
      await server.psql('create role certified_role login');
      const { caFile, client } = server.certificates;
      const keyFile = lockedKey(client.keyFile, 'right-Zq7');
      const files = `sslrootcert=${caFile}&sslcert=${client.certificateFile}&sslkey=${keyFile}`;
      const { code, shown } = await runOnTerminal(
        home,
        ['connections', 'import'],
        [
          ['Paste a URL', `postgres://certified_role@localhost:${server.port}/postgres?sslmode=verify-full&${files}`],
          ['for AI clients [postgres]:', ''],
          ['(Enter for none)', ''],
          ['Passphrase of the client key', 'wrong-Zq7'],
          ['Passphrase of the client key', 'right-Zq7'],
        ],
      );
      expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringMatching(/postgres answers: .*15/) });
      expect(shown).not.toContain('Zq7');
      expect((await home.run(['connections', 'test', 'postgres'])).stdout).toContain('certified_role');
    } finally {
      await server.stop();
    }
  }, 60_000);

  test('add starts Sallyport, asks for the password unseen, tests, and says what is next', async () => {
    const server = await startServer();
    try {
      const url = `postgres://${server.superuser}@127.0.0.1:${server.port}/postgres?sslmode=disable`;
      const { code, shown } = await runOnTerminal(
        home,
        ['connections', 'add', url],
        [
          ['(Enter for none)', 'wrong'],
          ['Another password', server.password],
          ['New owner passphrase: ', ''],
        ],
      );
      expect({ code, shown }).toMatchObject({
        code: 0,
        shown: expect.stringMatching(/Added postgres\. .*postgres answers: .*15.*No passphrase is chosen\./),
      });
      expect((await home.json<StatusResult>(['status'])).passphrase).toMatchObject({ state: 'none', chosen: null });
      expect(shown).toContain('Next: `sallyport connect` lists the AI clients');
      expect(shown).not.toContain(server.password);
      expect((await home.run(['connections', 'test', 'postgres'])).code).toBe(0);
    } finally {
      await server.stop();
    }
  }, 60_000);

  test('connect alone lists the clients found here, and which of them have Sallyport', async () => {
    mkdirSync(join(home.folder, '.cursor'));
    mkdirSync(join(home.folder, '.codex'));
    expect((await home.run(['connect', 'codex', '--write'])).code).toBe(0);
    expect(await home.json(['connect'])).toMatchObject([
      { client: 'cursor', title: 'Cursor', connected: false },
      { client: 'codex', file: join(home.folder, '.codex', 'config.toml'), connected: true },
    ]);
    expect((await home.run(['connect', 'codex', '--remove'])).code).toBe(0);
    const { stdout } = await home.run(['connect']);
    expect(stdout).toMatch(
      /^CLIENT +HAS SALLYPORT +FILE\ncursor +no +\S+\ncodex +no +\S+\n\n`sallyport connect CLIENT --write`/,
    );
    expect(await home.run(['connect', '--write'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^sallyport: --write needs the name of a client/),
    });
  }, 30_000);

  test('databases in the files of psql, mysql and DBeaver are shown with their place, without passwords', async () => {
    writeFileSync(join(home.folder, '.pgpass'), '*:*:*:any:x\ndb.test:5433:sales:clerk:s\\:ecret1\n', {
      mode: 0o600,
    });
    writeFileSync(
      join(home.folder, '.pg_service.conf'),
      '# services\n[billing]\nhost=bills.test\nport=5432\ndbname=bills\nuser=reader\n',
    );
    writeFileSync(join(home.folder, '.my.cnf'), '[client]\nhost = my.test\nuser = root\npassword = "s;ecret2"\n');
    const dbeaver = join(home.folder, '.local/share/DBeaverData/workspace6/General/.dbeaver');
    mkdirSync(dbeaver, { recursive: true });
    const configuration = { host: 'staging.test', port: '5432', database: 'app', user: 'dev' };
    const connections = { 'postgres-1': { provider: 'postgresql', name: 'Staging', configuration } };
    writeFileSync(join(dbeaver, 'data-sources.json'), JSON.stringify({ connections }));

    const { code, shown } = await runOnTerminal(home, ['connections', 'import'], [['Save which?', '']]);
    expect(code).toBe(0);
    expect(shown).toMatch(/sales postgres clerk@db\.test:5433\/sales ~\/\.pgpass, with its password/);
    expect(shown).toMatch(/billing postgres reader@bills\.test:5432\/bills ~\/\.pg_service\.conf/);
    expect(shown).toMatch(/mysql mysql root@my\.test\S* ~\/\.my\.cnf, with its password/);
    expect(shown).toMatch(/Staging postgres dev@staging\.test:5432\/app DBeaver/);
    expect(shown).not.toMatch(/ecret|any@/);
    expect(await home.json(['connections', 'list'])).toEqual([]);
  }, 60_000);

  test('the name alone offers it if nothing is set up; without a terminal it names the equivalent commands', async () => {
    const { code, shown } = await runOnTerminal(home, [], [['Set it up now?', 'n']]);
    expect({ code, isMade: existsSync(home.home) }).toEqual({ code: 0, isMade: false });
    mkdirSync(home.home, { mode: 0o700 });
    expect((await runOnTerminal(home, [], [['Set it up now?', 'n']])).code).toBe(0);
    expect((await home.here(['start'])).code).toBe(0);
    expect((await runOnTerminal(home, [], [['Set it up now?', 'n']])).code).toBe(0);
    expect((await home.here(['demo'])).code).toBe(0);
    expect((await runOnTerminal(home, [], [])).shown).toMatch(/is running.*connections\S* Demo/);
    expect(shown).toMatch(/Nothing is set up yet\.[\s\S]*`sallyport setup` does it later/);
    const ran = await home.run(['setup']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/asks questions, so it needs a terminal; `sallyport connections add` and/);
    expect((await home.run([])).code).toBe(2);
  }, 30_000);
});
