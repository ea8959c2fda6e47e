/**
 * Threat: a password or token turns up where it doesn't belong. A whole journey uses unmistakable
 * ones. Afterwards none is in a log, an error, an answer, a process list, an environment, or any
 * file except those made to hold them.
 */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { modern } from '../bridge/bridge-process.ts';
import { legacy, send, modern as wireModern } from '../clients/http/wire.ts';
import { whileWritten } from '../engines/sqlite/while-written.ts';
import { childrenOf, describeWithThreeEngines, engineNames, type Ran } from '../journeys/databases/three-engines.ts';
import { lockedKey } from '../servers/certificates.ts';
import { until } from '../waiting/until.ts';

/** They contain characters that URLs, shells, JSON and SQL write differently. */
const secrets = {
  'a password in a URL': `Url-Zq7"x'%/ü:@#?`,
  'a password on stdin': `Stdin-Zq7"x'\\%/ü $(id)`,
  'a password that a command prints': `Command-Zq7"x'%/ü`,
  'a wrong password': `Wrong-Zq7"x'%/ü`,
  'a password in a URL that is refused': 'Refused-Zq7hunter2',
  'the passphrase of a client key': `Key-Zq7"x'\\%/ü`,
};

/** The ways in which each may have been written. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
    bytes.toString('utf16le'),
  ];
}

function findIn(text: string, all: Readonly<Record<string, string>>): string[] {
  return Object.entries(all).flatMap(([what, secret]) =>
    formsOf(secret).some(form => text.includes(form)) ? [what] : [],
  );
}

describeWithThreeEngines('credentials', three => {
  /** Everything that a command, bridge or answer said. */
  const said: string[] = [];
  const tokens: Record<string, string> = {};

  const heard = async (running: Promise<Ran>): Promise<Ran> => {
    const ran = await running;
    said.push(ran.stdout, ran.stderr);
    return ran;
  };
  const run = (words: readonly string[], stdin = '') => heard(three.run(words, stdin));
  const call = async (token: string, name: string, args: Record<string, unknown>) => {
    const answer = await three.call(token, name, args);
    said.push(answer.text, JSON.stringify(answer.headers));
    return answer;
  };

  /**
   * Command lines and environments of the daemon, its children and each process that names this
   * home.
   */
  const processes = () =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap(name => {
        try {
          const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
          if (!environment.includes(three.home.home)) return [];
          return [`${readFileSync(`/proc/${name}/cmdline`, 'utf8')}\n${environment}`];
        } catch {
          return [];
        }
      });

  test('a whole journey', async () => {
    const { postgres, mariadb } = three;
    const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
    await postgres.psql(`set standard_conforming_strings = on;
      create role by_url login password ${literal(secrets['a password in a URL'])};
      create role certified_role login;
      create role by_stdin login password ${literal(secrets['a password on stdin'])};`);
    await mariadb.client(`SET sql_mode = 'NO_BACKSLASH_ESCAPES';
      CREATE USER by_command@'127.0.0.1' IDENTIFIED BY ${literal(secrets['a password that a command prints'])};
      GRANT ALL ON shop.* TO by_command@'127.0.0.1'`);
    const passwordFile = join(three.home.folder, 'password');
    writeFileSync(passwordFile, secrets['a password that a command prints'], { mode: 0o600 });

    const inUrl = encodeURIComponent(secrets['a password in a URL']);
    const pg = `127.0.0.1:${postgres.port}/shop`;
    const maria = `127.0.0.1:${mariadb.port}/shop`;
    const add = (url: string, name: string, ...words: string[]) => [
      'connections',
      'add',
      url,
      '--name',
      name,
      ...words,
    ];
    expect((await run(add(`postgres://by_url:${inUrl}@${pg}`, 'Url'))).code).toBe(0);
    const onStdin = `${secrets['a password on stdin']}\n`;
    expect((await run(add(`postgres://by_stdin@${pg}`, 'Stdin', '--password-stdin'), onStdin)).code).toBe(0);
    const { caFile, client } = postgres.certificates;
    const keyFile = lockedKey(client.keyFile, secrets['the passphrase of a client key']);
    const shown = [
      '--tls',
      'verify-full',
      '--ca',
      caFile,
      '--client-cert',
      client.certificateFile,
      '--client-key',
      keyFile,
    ];
    const certified = add(`postgres://certified_role@${pg.replace('127.0.0.1', 'localhost')}`, 'Certified', ...shown);
    const passphrase = `${secrets['the passphrase of a client key']}\n`;
    expect((await run([...certified, '--key-passphrase-stdin'], passphrase)).code).toBe(0);
    expect((await run(['connections', 'test', 'Certified'])).stdout).toContain('certified_role');
    const command = ['--password-command', `cat ${passwordFile}`];
    expect((await run(add(`mysql://by_command@${maria}`, 'Command', ...command))).code).toBe(0);
    for (const [engine, at] of [
      ['postgres', pg],
      ['mysql', maria],
    ] as const) {
      const wrong = add(`${engine}://by_stdin@${at}`, `Wrong ${engine}`, '--password-stdin');
      expect((await run(wrong, secrets['a wrong password'])).code).toBe(0);
      expect((await run(['connections', 'test', `Wrong ${engine}`])).code).toBe(1);
    }
    const refusedPassword = secrets['a password in a URL that is refused'];
    for (const url of [
      `postgres://u:${refusedPassword}@127.0.0.1:notaport/db`,
      `postgres://u:${refusedPassword}@127.0.0.1/db?role=other`,
      `oracle://u:${refusedPassword}@127.0.0.1/db`,
      `mysql://u:${refusedPassword}%zz@127.0.0.1/db`,
      `${refusedPassword}://x`,
    ]) {
      expect((await run(add(url, 'Refused'))).code).not.toBe(0);
    }

    for (const [name, scope] of [
      ['reader', 'read-only'],
      ['writer', 'read-write'],
      ['owner', 'full-access'],
    ] as const) {
      // `mint` may print the token, so its output isn't added to what was said.
      tokens[`the token ${name}`] = (await three.mint('--name', name, '--scope', scope)).token;
    }
    const all = Object.values(tokens);
    for (const token of all) {
      for (const connection of [
        'Url',
        'Stdin',
        'Certified',
        'Command',
        'File',
        'Wrong postgres',
        'Wrong mysql',
        'Nobody',
      ]) {
        await call(token, 'list_tables', { connection });
        for (const sql of ['select 1', 'selec 1', 'drop table x', "select current_user, '\u0000'", 'show grants']) {
          await call(token, 'execute_query', { connection, sql });
        }
      }
      await call(token, 'list_connections', {});
      await call(token, 'no_such_tool', { connection: 'Url' });
    }
    const bridge = three.home.bridge();
    for (const [id, connection] of ['Url', 'Stdin', 'Command', 'Wrong postgres', 'Wrong mysql'].entries()) {
      const params = { name: 'execute_query', arguments: { connection, sql: 'select current_user' } };
      said.push(JSON.stringify(await bridge.ask(modern(id, 'tools/call', params))));
    }
    const works = await call(all[0] ?? '', 'execute_query', { connection: 'Url', sql: 'select current_user' });
    expect(works.text).toContain('by_url');
    expect(said.join('\n')).toContain('by_stdin');
    expect(said.join('\n')).toContain('by_command');

    // Sends the token in a wrong place, and a message that quotes it.
    for (const token of all) {
      for (const sending of [
        legacy(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'Mcp-Session-Id': token }),
        wireModern(token, 'tools/list', {}, { headers: { Host: 'evil.example' } }),
        wireModern(token, 'tools/list', {}, { headers: { Authorization: `Basic ${token}` } }),
        { ...wireModern(token, 'tools/list'), path: `/mcp/${token.slice(0, 4)}` },
        { ...wireModern(token, 'tools/list'), body: '{' },
      ]) {
        const { text, headers } = await send(three.url, sending);
        said.push(text, JSON.stringify(headers));
      }
    }
    await send(three.url, wireModern(`${all[0]}x`, 'tools/list'));
    for (const words of [['status'], ['connections', 'list'], ['connections', 'show', 'Url'], ['tokens', 'list']]) {
      await run(words);
      await run([...words, '--json']);
    }
    said.push(bridge.stderr, ...bridge.lines);
  }, 120_000);

  test('no process shows one while queries run', async () => {
    const slow = {
      postgres: 'select pg_sleep(2)',
      mysql: 'select sleep(2)',
      sqlite: 'select count(*) from first',
    };
    const token = tokens['the token reader'] ?? '';
    const [answers, seen] = await whileWritten(three.sqliteFile, async () => {
      const asked = engineNames.map(engine => three.query(token, engine, slow[engine]));
      await until(async () => (await three.running('postgres')).length > 0, 'PostgreSQL is busy');
      await until(() => childrenOf(three.daemonPid).length > 0, 'a child process of SQLite runs');
      return [asked, processes()] as const;
    });
    expect(seen.length).toBeGreaterThanOrEqual(2);
    const handshake = three.home.handshake();
    expect(findIn(seen.join('\n'), { ...secrets, ...tokens, 'the bridge token': handshake?.token ?? '?' })).toEqual([]);
    await Promise.all(answers);
  }, 60_000);

  test('no output or answer contains one', () => {
    expect(said.length).toBeGreaterThan(150);
    const handshake = three.home.handshake();
    expect(findIn(said.join('\n'), { ...secrets, ...tokens, 'the bridge token': handshake?.token ?? '?' })).toEqual([]);
  });

  test('no file of the home contains one except secrets.json, which contains no token', async () => {
    const bridgeToken = { 'the bridge token': three.home.handshake()?.token ?? '?' };
    const files = () =>
      readdirSync(three.home.home, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name));
    const found = () =>
      files().flatMap(file => {
        const text = readFileSync(file);
        const both = `${text.toString('latin1')}\n${text.toString('utf8')}`;
        const inSecrets = file.endsWith('secrets.json');
        const ofBridge = file.endsWith('mcp-handshake.json') ? {} : bridgeToken;
        return findIn(both, { ...(inSecrets ? {} : secrets), ...tokens, ...ofBridge }).map(what => `${file}: ${what}`);
      });
    expect(
      files()
        .filter(file => file.includes('/logs/'))
        .map(file => statSync(file).size > 0),
    ).toContain(true);
    // The search finds what a saved connection does keep, so it would find a password too.
    expect(files().some(file => readFileSync(file).includes('by_stdin'))).toBe(true);
    expect(found()).toEqual([]);
    await run(['stop']);
    expect(found()).toEqual([]);
  });
});
