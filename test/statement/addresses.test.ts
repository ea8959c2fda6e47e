/** A client isn't told where a server is: the person who saved the connection knows. */

import { expect, test } from '@jest/globals';
import { withoutAddress } from '../../daemon/statement/failure-refusals.ts';
import { forwardFailure, startFailure } from '../../daemon/tunnels/ssh/failure.ts';
import type { HostKeyView } from '../../shared/control-commands.ts';

const on = (host: string | null, socketPath: string | null = null) => ({ host, socketPath, filePath: null });
const tunnel = { kind: 'ssh', destination: 'me@bastion.example:2222', jumps: ['hop'], keyFile: null } as const;

test.each([
  [
    on('db.example.com'),
    'Could not connect to PostgreSQL at db.example.com:5432: no answer.',
    'PostgreSQL at its address: no answer.',
  ],
  [
    on('db'),
    'Could not connect to db:3306: getaddrinfo ENOTFOUND db',
    'to its address: getaddrinfo ENOTFOUND its address',
  ],
  [on('db'), 'The database is full.', 'The database is full.'],
  [on(null), 'No server listens at localhost:3306.', 'No server listens at its address.'],
  [on(null, '/run/db.sock'), 'No server listens at /run/db.sock.', 'No server listens at its address.'],
  [on('a:1,[::1]:2'), 'none of its servers will do: a:1 (x), [::1]:2 (y)', 'will do: its address (x), its address (y)'],
  [on('a,b:2'), 'The server at a:3306 or b:2 offers no TLS', 'The server at its address offers no TLS'],
  [on('a.b'), 'the server of axb:1 answers', 'the server of axb:1 answers'],
  [
    { ...on('db'), tunnel },
    "the SSH server bastion.example:2222 can't be reached (ssh: connect to host bastion.example port 2222)",
    "the SSH server its address can't be reached",
  ],
  [{ ...on('db'), tunnel }, 'the SSH host hop is unknown', 'the SSH host its address is unknown'],
  [
    { ...on(null), filePath: '/srv/my shop.db' },
    'The database file /srv/my shop.db does not exist. Check the path of the connection.',
    'The database file does not exist.',
  ],
])('%j: %s', (endpoint, message, told) => {
  expect(withoutAddress(message, endpoint)).toContain(told);
});

const unanswered = { hostKey: null, passphraseOf: null, password: false };
const inner = 'inner.example';

test.each([
  [
    'Host key for inner.example has changed and you have requested strict checking.',
    /the SSH host key of its address is another/,
  ],
  [
    'root@inner.example: Permission denied (publickey,password).',
    /sign in at its address, which takes publickey,password$/,
  ],
  ['ssh: Could not resolve hostname inner.example: Name or service not known', /the SSH host its address is unknown$/],
  ['ssh: connect to host inner.example port 22: Connection refused', /the SSH server its address can't be reached$/],
  ['channel 0: open failed: connect failed: inner.example', /an SSH hop can't reach the next one$/],
  ['Connection to inner.example port 22 timed out', /an SSH hop did not answer in time$/],
  ['Connection closed by inner.example port 22', /its SSH tunnel did not come up$/],
])('an alias of ~/.ssh/config hides its host: %s', (said, told) => {
  const where = { ...on('db'), tunnel: { ...tunnel, destination: 'alias', jumps: [] } };
  const { message } = startFailure(said, unanswered, 'it ended', null);
  expect(message).toContain(inner);
  const shown = withoutAddress(message, where);
  expect(shown).toMatch(told);
  expect(shown).not.toContain(inner);
  const reached = forwardFailure(said);
  if (reached !== null) expect(withoutAddress(reached.message, where)).not.toContain(inner);
  const hostKey = { host: inner, type: 'ED25519', fingerprint: 'SHA256:x' } as HostKeyView;
  const asked = startFailure('', { ...unanswered, hostKey }, '', null).message;
  expect(withoutAddress(asked, where)).toBe(
    'nobody has confirmed the SSH host key of its address yet (ED25519 SHA256:x)',
  );
});
