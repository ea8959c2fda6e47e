/** What setup reads in the files and variables of PostgreSQL's and MySQL's own clients, and of sockets here. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { serversHere } from '../../shell-terminal/setup/around.ts';
import type { Found } from '../../shell-terminal/setup/candidate.ts';
import { inServersFiles } from '../../shell-terminal/setup/servers-files.ts';
import { inVariables } from '../../shell-terminal/setup/variables.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const home = temporaryFolder();
const base = { cwd: home, home };
const connectionsOf = ({ candidates }: Found) => candidates.map(({ connection }) => connection);

describe('.my.cnf', () => {
  function inOptionFile(text: string): Found {
    writeFileSync(join(home, '.my.cnf'), text);
    return inServersFiles(base, {});
  }

  test.each([
    ['an IPv6 address', 'host = ::1\nport = 3307', { host: '::1', port: 3307, socketPath: null }],
    ['a comment in mid-line', 'host = db.example # production', { host: 'db.example' }],
    ['no host', 'user = root', { host: '127.0.0.1', user: 'root' }],
    [
      'a socket',
      'user=root\nsocket=/run/x y.sock',
      { host: null, port: null, socketPath: '/run/x y.sock', user: 'root' },
    ],
    [
      'a socket of localhost',
      'host=localhost\nport=3306\nsocket=/run/x.sock',
      { host: null, socketPath: '/run/x.sock' },
    ],
    ['a socket beside another host', 'host=db.example\nsocket=/run/x.sock', { host: 'db.example', socketPath: null }],
    ['a name with signs of a URL', "host=h\nuser='a@b:c/d'\ndatabase=x?y#z", { user: 'a@b:c/d', database: 'x?y' }],
  ])('%s', (_, lines, endpoint) => {
    expect(connectionsOf(inOptionFile(`[client]\n${lines}\n`))).toMatchObject([
      { endpoint: { engine: 'mysql', ...endpoint } },
    ]);
  });

  test.each([
    ['a#b', 'a'],
    ['"a#b" # why', 'a#b'],
    ["'it#s' # 'why'", 'it#s'],
    ['a\\\\b\\sc', 'a\\b c'],
    ['"say \\"#\\""', 'say "#"'],
  ])('the password %s', (written, password) => {
    expect(connectionsOf(inOptionFile(`[client]\nuser=root\npassword=${written}\n`))).toMatchObject([{ password }]);
  });

  test('TLS, with either sign between the words', () => {
    const text = '[client]\nhost=h\nssl_mode=VERIFY_CA\nssl-ca=/ca.pem\nssl-cert=/cert.pem\nssl_key=/key.pem\n';
    expect(connectionsOf(inOptionFile(text))).toMatchObject([
      {
        tls: {
          ...{ mode: 'verify-ca', caFile: '/ca.pem' },
          clientCertificate: { certificateFile: '/cert.pem', keyFile: '/key.pem' },
        },
      },
    ]);
  });

  test('what can not be read is told', () => {
    const { candidates, unreadable } = inOptionFile('[client]\nhost=h\nport=many\n');
    expect({ candidates, unreadable }).toEqual({
      candidates: [],
      unreadable: [
        { from: join(home, '.my.cnf'), problem: expect.stringMatching(/^The port in the URL is not a number/) },
      ],
    });
    writeFileSync(join(home, '.my.cnf'), '');
  });
});

const certificate = { certificateFile: '/cert.pem', keyFile: '/key.pem' };

test('a service brings its certificate, and which of its servers it wants', () => {
  const lines = ['host=db1,db2', 'sslmode=verify-full', 'sslcert=/cert.pem', 'sslkey=/key.pem'];
  writeFileSync(join(home, '.pg_service.conf'), `[sales]\n${lines.join('\n')}\ntarget_session_attrs=primary\n`);
  expect(connectionsOf(inServersFiles(base, {}))).toMatchObject([
    { targetServers: 'primary', tls: { mode: 'verify-full', clientCertificate: certificate } },
  ]);
});

test('so do the variables of libpq', () => {
  const found = inVariables(
    {
      ...{ PGHOST: 'db1,db2', PGSSLROOTCERT: '/ca.pem', PGSSLCERT: '/cert.pem', PGSSLKEY: '/key.pem' },
      PGTARGETSESSIONATTRS: 'read-write',
    },
    'in this shell',
    base,
  );
  expect(connectionsOf(found)).toMatchObject([
    { targetServers: 'read-write', tls: { caFile: '/ca.pem', clientCertificate: certificate } },
  ]);
});

test('sockets of servers that listen here', async () => {
  const folder = join(home, 'run ü');
  mkdirSync(folder);
  const sockets = { postgres: [join(folder, '.s.PGSQL.5432')], mysql: [join(folder, 'mysqld.sock')] };
  for (const [path = ''] of Object.values(sockets)) writeFileSync(path, '');
  const found = connectionsOf(await serversHere(base, sockets));
  const paths = found.flatMap(({ endpoint: { engine, host, socketPath } }) =>
    host === null ? [[engine, socketPath]] : [],
  );
  expect(paths).toEqual([
    ['postgres', sockets.postgres[0]],
    ['mysql', sockets.mysql[0]],
  ]);
});
