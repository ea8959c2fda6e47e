/**
 * A password that lies in a file belongs to the place beside it (spec §16): one of another port or
 * socket never gets it.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseConnectionUrl } from '../../../shared/connection-url.ts';
import type { Candidate } from '../../../shell-terminal/setup/candidate.ts';
import { inPasswordFile, readPasswordFile, withPasswordFrom } from '../../../shell-terminal/setup/password-file.ts';
import { inVariableParts } from '../../../shell-terminal/setup/variable-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-password-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const base = { cwd: folder, home: folder };

function passwordFile(...lines: readonly string[]) {
  const path = join(folder, '.pgpass');
  writeFileSync(path, lines.join('\n'), { mode: 0o600 });
  return readPasswordFile(path);
}

test.each([
  ['/tmp:7655:shop:anna:of-7655', '/tmp/.s.PGSQL.7655'],
  ['/tmp:*:shop:anna:of-any', '/tmp/.s.PGSQL.5432'],
  ['/srv/a:5432:shop:anna:of-5432', '/srv/a/.s.PGSQL.5432'],
])('%s is offered for its own socket', (line, socketPath) => {
  const { candidates } = inPasswordFile(passwordFile(line), base);
  expect(candidates.map(({ connection }) => connection.endpoint.socketPath)).toEqual([socketPath]);
});

test.each([
  ['/tmp', '7655', '/tmp/.s.PGSQL.7655'],
  ['/tmp', undefined, '/tmp/.s.PGSQL.5432'],
  ['/srv/a/.s.PGSQL.7000', '7655', '/srv/a/.s.PGSQL.7000'],
])('DB_SOCKET %s with DB_PORT %s', (DB_SOCKET, DB_PORT, socketPath) => {
  const variables = {
    DB_CONNECTION: 'pgsql',
    DB_HOST: 'localhost',
    DB_DATABASE: 'shop',
    DB_USERNAME: 'anna',
    DB_PASSWORD: 'x',
    DB_SOCKET,
    DB_PORT,
  };
  const { candidates } = inVariableParts(variables, 'here', base, () => undefined);
  expect(candidates.map(({ connection }) => connection.endpoint.socketPath)).toEqual([socketPath]);
});

const places = {
  '/tmp:7655': 'postgres://anna@/shop?host=/tmp&port=7655',
  '/tmp:5432': 'postgres://anna@/shop?host=/tmp',
  '/srv/a:7655': 'postgres://anna@/shop?host=/srv/a&port=7655',
  'localhost:7655': 'postgres://anna@localhost:7655/shop',
  'localhost:5432': 'postgres://anna@localhost/shop',
} as const;

/** Of its fields, the places whose databases get its password. */
test.each([
  ['/tmp:7655', ['/tmp:7655']],
  ['/tmp:*', ['/tmp:7655', '/tmp:5432']],
  ['/srv/a:7655', ['/srv/a:7655']],
  // As libpq: a socket in the usual folder is one of localhost's.
  ['localhost:7655', ['/tmp:7655', 'localhost:7655']],
  ['localhost:5432', ['/tmp:5432', 'localhost:5432']],
  ['*:7655', ['/tmp:7655', '/srv/a:7655', 'localhost:7655']],
] as const)('a line for %s', (place, served) => {
  const file = passwordFile(`${place}:*:*:secret-of-it`);
  const got = Object.entries(places).filter(([, url]) => {
    const connection = parseConnectionUrl(url, base);
    if (connection.kind === 'refused') throw new Error(connection.problem);
    const candidate: Candidate = { name: 'shop', from: 'a file', connection };
    return withPasswordFrom(file, candidate).connection.password === 'secret-of-it';
  });
  expect(got.map(([name]) => name)).toEqual(served);
});
