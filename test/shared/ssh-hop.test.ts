/**
 * What may be a hop of an SSH tunnel, and the URLs that name one: nothing that ssh or a shell could
 * take for something else.
 */

import { expect, test } from '@jest/globals';
import { sshHopIn } from '../../shared/ssh-hop.ts';
import { parseTunnelledUrl } from '../../shared/ssh-url.ts';

test.each([
  ['bastion', null, 'bastion', null],
  ['me@bastion.example:2222', 'me', 'bastion.example', 2222],
  ['ops@corp.example@10.0.0.1', 'ops@corp.example', '10.0.0.1', null],
  ['me@[2001:db8::1]:22', 'me', '2001:db8::1', 22],
])('%s', (typed, user, host, port) => {
  expect(sshHopIn(typed)).toEqual({ user, host, port });
});

test.each([
  '',
  '-oProxyCommand=touch$IFS',
  '-Fx@host',
  'me@-oProxyCommand=x',
  'host -oProxyCommand=x',
  'host\n',
  'me@host;id',
  'me$(id)@host',
  'me`id`@host',
  'me@%h',
  "me'@host",
  'host:0',
  'host:70000',
  'host:22:23',
  'me:secret@host',
  'ssh://host',
  '@host',
  'me@',
])('not a hop: %j', typed => {
  expect(sshHopIn(typed)).toBeNull();
});

const base = { cwd: '/', home: '/home/me' };

test('a URL names its tunnel, and the database behind it', () => {
  const read = parseTunnelledUrl(
    'postgresql+ssh://ops@bastion:2222/anna:pw@db.internal:5433/shop?sslmode=require',
    base,
  );
  expect(read).toMatchObject({
    endpoint: { engine: 'postgres', host: 'db.internal', port: 5433, user: 'anna', database: 'shop' },
    password: 'pw',
    tls: { mode: 'require' },
    tunnel: { kind: 'ssh', destination: 'ops@bastion:2222', jumps: [], keyFile: null },
  });
  expect(parseTunnelledUrl('mysql+ssh://bastion/root@127.0.0.1/shop', base)).toMatchObject({
    endpoint: { engine: 'mysql', host: '127.0.0.1' },
    tunnel: { destination: 'bastion' },
  });
  expect(parseTunnelledUrl(' "jdbc:postgresql+ssh://bastion/db/shop"\n', base)).toMatchObject({
    endpoint: { host: 'db' },
  });
  expect(parseTunnelledUrl('postgres://h/shop', base)).not.toHaveProperty('tunnel');
});

test.each([
  ['postgresql+ssh://ops:hunter2@bastion/anna@db/shop', /has an SSH password in it/],
  ['postgresql+ssh://-oProxyCommand=x/anna@db/shop', /write the SSH server/],
  ['postgresql+ssh://bastion', /then the database/],
  ['sqlite+ssh://bastion/shop.db', /reaches a host/],
  ['mysql+ssh://bastion/root@/shop?socket=/run/mysqld.sock', /reaches a host, not a socket/],
])('%s is refused, and no part of it repeated', (url, problem) => {
  const read = parseTunnelledUrl(url, base);
  expect(read).toEqual({ kind: 'refused', problem: expect.stringMatching(problem) });
  expect(JSON.stringify(read)).not.toContain('hunter2');
});
