/**
 * Servers in clients' files that reach a database past Sallyport are known by their shape, and told
 * without their passwords.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { entryText } from '../../shared/client-configs.ts';
import { serversPlaces } from '../../shared/client-files.ts';
import {
  backupsWithPasswords,
  type OtherServer,
  otherServers,
  passwordsInComments,
} from '../../shell-terminal/past/entries.ts';
import { reachForScripts, toldOf, whyNot } from '../../shell-terminal/past/told.ts';
import { placeOf } from '../../shell-terminal/setup/candidate.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';
import { canary, entries } from './past-entries.ts';

/** A variable of the machine, as clients hand it on. */
const environment: object = { OUTER_DSN: `postgres://me:${canary}@outer.example/shop` };

const root = temporaryFolder();
let count = 0;

function looking() {
  count += 1;
  const [userHome, cwd] = [join(root, `${count}`, 'home'), join(root, `${count}`, 'work')];
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return { userHome, cwd, environment, put, inHome: (path: string, text: string) => put(join(userHome, path), text) };
}

function summary({ by, reaches, holdsPassword }: OtherServer): string {
  const told = reaches.map(reach => {
    if (reach.kind === 'database') {
      const { endpoint, password } = reach.candidate.connection;
      return `${endpoint.engine} ${placeOf(endpoint)}${password === canary ? ' *' : password === null ? '' : ' ?'}`;
    }
    const words = { cloud: 'cloud', remote: 'remote', unsupported: 'unsupported', unseen: 'unseen' }[reach.kind];
    const more =
      reach.kind === 'cloud'
        ? ` ${reach.cloud}${reach.project ? ` ${reach.project}` : ''}`
        : reach.kind === 'remote'
          ? ` ${reach.cloud}`
          : reach.kind === 'unsupported'
            ? ` ${reach.database}`
            : '';
    return `${words}${more}${holdsPassword && reach.kind !== 'unseen' && reach.kind !== 'unsupported' ? ' *' : ''}`;
  });
  return `${by}: ${told.join(', ')}`;
}

const shown = (servers: readonly OtherServer[], home: string): string =>
  JSON.stringify(servers.map(server => [toldOf(server, home), whyNot(server), server.reaches.map(reachForScripts)]));

describe('an entry of a project’s file', () => {
  test.each(entries)('%s', (_, server, reached) => {
    const { put, cwd, ...here } = looking();
    put(join(cwd, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { one: server } }));
    put(join(cwd, '.env'), `DATABASE_URL=mysql://env:${canary}@db.example/shop\n`);
    put(
      join(cwd, 'dbhub.toml'),
      `[[sources]]\nid = "a"\ndsn = "postgres://me:${canary}@db.example/one"\n[[sources]]\nid = "b"\ntype = "mysql"\nhost = "other.example"\nuser = "you"\npassword = "${canary}"\ndatabase = "two"\n`,
    );
    put(
      join(cwd, 'tools.yaml'),
      `sources:\n  pg:\n    kind: postgres\n    host: db.example\n    port: 5432\n    database: shop\n    user: me\n    password: ${canary}\ntools: {}\n`,
    );
    put(
      join(cwd, 'config.json'),
      `{"connections":[{"id":"a","type":"mysql","host":"db.example","port":3306,"name":"shop","user":"me","password":"${canary}"},{"id":"b","type":"postgres","host":"other.example","name":"two","user":"you","password":"${canary}"}]}`,
    );
    put(
      join(cwd, 'sources.yaml'),
      `kind: source\nname: s\ntype: postgres\nhost: db.example\ndatabase: shop\nuser: me\npassword: \${SHOP_PASSWORD}\n---\nkind: tool\nname: t\ntype: postgres-sql\nsource: s\n`,
    );
    const found = otherServers({ ...here, cwd });
    expect(found.map(summary)).toEqual(reached === null ? [] : [reached]);
    expect(shown(found, here.userHome)).not.toContain(canary);
    for (const { client, name, isProject } of found) expect([client, name, isProject]).toEqual(['cursor', 'one', true]);
  });
});

describe('each place of the table', () => {
  const [, server] = entries[0] ?? [];
  const places = serversPlaces('/home/a', {}, '/project').filter(({ path }) => path.startsWith('/'));

  test.each(places.map(place => [`${place.path} ${place.under.join('.')}`, place] as const))('%s', (_, place) => {
    const { userHome, cwd, put } = looking();
    const path = place.isProject
      ? join(cwd, place.path.slice('/project/'.length))
      : join(userHome, place.path.slice('/home/a/'.length));
    const under = place.under.map(key => (key === '*' ? '/some/project' : key));
    const value = { name: 'shop', ...server } as never;
    put(path, entryText({ ...place, under, name: 'shop', value, head: [] }));
    const [found, ...more] = otherServers({ userHome, cwd, environment: {} });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ client: place.client, name: 'shop', by: 'server-postgres', entry: { under } });
    expect(found?.path).toContain(path.slice(path.lastIndexOf('/')));
  });
});

test('a sentence names the client, the database and the way, and what holds a password', () => {
  const { inHome, ...here } = looking();
  const [, server] = entries[0] ?? [];
  inHome('.cursor/mcp.json', JSON.stringify({ mcpServers: { pg: server } }));
  expect(otherServers(here).map(found => toldOf(found, here.userHome))).toEqual([
    'Cursor reaches shop on db.example by server-postgres, past Sallyport (pg in ~/.cursor/mcp.json, where a password or a key is readable).',
  ]);
});

test('a password in a comment is found, and one in an entry is not told as that', () => {
  const { inHome, ...here } = looking();
  const [, server] = entries[0] ?? [];
  inHome('.cursor/mcp.json', `{ "mcpServers": { "pg": ${JSON.stringify(server)} } }`);
  expect(passwordsInComments(here)).toEqual([]);
  inHome('.codex/config.toml', `# postgres://me:${canary}@db.example/old\nmodel = "x" # postgres://me:$PASSWORD@h/x\n`);
  expect(passwordsInComments(here)).toMatchObject([{ title: 'Codex' }]);
  expect(JSON.stringify(passwordsInComments(here))).not.toContain(canary);
});

test.each<[boolean, object]>([
  [true, { command: 'npx', args: ['mongodb-mcp-server', `mongodb://u:${canary}@h/db?x=1`] }],
  [true, { command: 'uvx', args: ['redis-mcp-server', '--url', `redis://:${canary}@h:6379`] }],
  [true, { command: 'npx', args: ['@bytebase/dbhub', '--dsn', `postgres://u:${canary}@h:port/x`] }],
  [true, { command: 'npx', args: ['@supabase/mcp-server-supabase', '--access-token', canary] }],
  [true, { command: 'npx', args: ['@supabase/mcp-server-supabase', `--access-token=${canary}`] }],
  [true, { command: 'npx', args: ['@neondatabase/mcp-server-neon', 'start', canary] }],
  [true, { command: 'npx', args: ['mssql-mcp', '--password', canary] }],
  [true, { command: 'docker', args: ['run', '-e', `MSSQL_PASSWORD=${canary}`, 'mssql-mcp'] }],
  [true, { url: 'https://mcp.neon.tech/mcp', headers: { Authorization: `Bearer ${canary}` } }],
  [
    true,
    { command: 'npx', args: ['mcp-remote', 'https://mcp.neon.tech', '--header', `Authorization: Bearer ${canary}`] },
  ],
  [true, { command: 'npx', args: ['@supabase/mcp-server-supabase'], env: { SUPABASE_ACCESS_TOKEN: canary } }],
  [true, { url: `https://mcp.neon.tech/mcp?a=1&api_key=${canary}` }],
  [false, { command: 'npx', args: ['@supabase/mcp-server-supabase@1', '--access-token', `\${input:token}`] }],
  [false, { url: 'https://mcp.neon.tech:443/a@b', headers: { Authorization: `Bearer \${TOKEN}` } }],
  [false, { command: 'npx', args: ['mssql-mcp', '--password', '--host', 'h'], env: { PASSWORD_FILE: '/x' } }],
  [false, { command: 'npx', args: ['mongodb-mcp-server', 'mongodb://u:<password>@h/db'] }],
])('a secret is readable there: %s %j', (holdsPassword, server) => {
  const { inHome, ...here } = looking();
  inHome('.cursor/mcp.json', JSON.stringify({ mcpServers: { one: server } }));
  expect(otherServers(here).map(found => found.holdsPassword)).toEqual([holdsPassword]);
});

test('a password in a file that an entry names is told of that file, not of the entry', () => {
  const { inHome, ...here } = looking();
  inHome('tools.yaml', `sources:\n  a:\n    kind: postgres\n    host: h\n    database: d\n    password: ${canary}\n`);
  const file = join(here.userHome, 'tools.yaml');
  inHome(
    '.gemini/settings.json',
    JSON.stringify({ mcpServers: { t: { command: 'toolbox', args: [`--tools-file=${file}`] } } }),
  );
  expect(otherServers(here)).toMatchObject([{ holdsPassword: false, secretFiles: [file] }]);
});

test('a relative path in a server of one project means that project’s folder', () => {
  const { inHome, ...here } = looking();
  const project = join(here.userHome, 'shop');
  inHome('shop/.env', `DATABASE_URL=postgres://me:${canary}@db.example/shop\n`);
  const db = { command: 'npx', args: ['x', 'sqlite:here.db'], envFile: '.env' };
  inHome('.claude.json', JSON.stringify({ projects: { [project]: { mcpServers: { db } } } }));
  const [found] = otherServers(here);
  expect(found === undefined ? '' : summary(found)).toBe(`x: postgres me@db.example/shop *, sqlite ${project}/here.db`);
  expect(found === undefined ? '' : toldOf(found, here.userHome)).toContain(
    '(db of ~/shop in ~/.claude.json; a password or a key is readable in ~/shop/.env).',
  );
});

test.each([
  ['kind: bigquery, project: shop', 2],
  ['kind: mssql, host: h, user: u', 2],
  ['type: sqlserver, dsn: "sqlserver://h/x"', 2],
  ['kind: cloud-sql-postgres, project: p, instance: i, database: d, user: u', 2],
  ['kind: http, baseUrl: "https://x.example"', 1],
  ['kind: mysql, host: h, user: u, database: d', 2],
])('a server whose file names another kind of database too stays: %s', (other, count) => {
  const { inHome, ...here } = looking();
  inHome('tools.yaml', `sources: { a: { kind: postgres, host: h, user: u, database: d }, b: { ${other} } }\n`);
  const toolbox = { command: 'toolbox', args: ['--tools-file', join(here.userHome, 'tools.yaml')] };
  inHome('.cursor/mcp.json', JSON.stringify({ mcpServers: { toolbox } }));
  const [found] = otherServers(here);
  expect(found?.reaches).toHaveLength(count);
  expect(found === undefined ? null : whyNot(found)).toEqual(
    count === 1 || other.includes('mysql') ? null : expect.stringMatching(/another kind|is not supported/),
  );
});

test.each([{ disabled: true }, { enabled: false }])('a server that is switched off is told as that: %j', switched => {
  const { inHome, ...here } = looking();
  const [, server] = entries[0] ?? [];
  inHome('.cursor/mcp.json', JSON.stringify({ mcpServers: { pg: { ...server, ...switched } } }));
  expect(otherServers(here).map(found => toldOf(found, here.userHome))).toEqual([
    'Cursor would reach shop on db.example by server-postgres, past Sallyport (pg in ~/.cursor/mcp.json, switched off, where a password or a key is readable).',
  ]);
});

test('an odd file in the place of a folder is no reason to tell nothing', () => {
  const { inHome, ...here } = looking();
  inHome('.cursor', '');
  expect(backupsWithPasswords(here)).toEqual([]);
});

test('copies that Sallyport keeps count too, while they hold a password', () => {
  const { inHome, ...here } = looking();
  const [, server] = entries[0] ?? [];
  const text = JSON.stringify({ mcpServers: { pg: server } });
  inHome('.cursor/mcp.json', '{}');
  inHome('.cursor/mcp.json.before-sallyport', text);
  inHome('.cursor/mcp.json.before-sallyport-2', '{}');
  inHome('.cursor/mcp.json.before-sallyport-3', text);
  inHome('.cursor/mcp.json.before-sallyport-other', text);
  inHome('.cursor/mcp.json.before-sallyport-takeover', text);
  const names = backupsWithPasswords(here).map(path => path.slice(here.userHome.length));
  expect(names).toEqual([
    '/.cursor/mcp.json.before-sallyport',
    '/.cursor/mcp.json.before-sallyport-takeover',
    '/.cursor/mcp.json.before-sallyport-3',
  ]);
});
