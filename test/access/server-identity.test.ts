import { expect, test } from '@jest/globals';
import {
  type KnownServer,
  knownAfter,
  proofOf,
  refusalOfStep,
  type SignInStep,
} from '../../daemon/access/server-identity.ts';

const at = '2026-11-20T12:00:00.000Z';
const step = (change: Partial<SignInStep>): SignInStep => ({
  line: 'clear',
  method: 'proves',
  key: null,
  socketOwner: null,
  ...change,
});
const known = (change: Partial<KnownServer> = {}): KnownServer => ({
  isEncrypted: false,
  method: 'proves',
  keys: [],
  socketOwner: null,
  address: null,
  since: at,
  ...change,
});
const refusal = (before: KnownServer | null, change: Partial<SignInStep>, mayPin = false, isTlsWished = true) =>
  refusalOfStep(before, step(change), mayPin, isTlsWished);

test.each<[string, Partial<SignInStep>, boolean, ReturnType<typeof refusal>]>([
  ['a proof', {}, false, null],
  ['what can be guessed', { method: 'guessable' }, false, null],
  ['the password in a test, with nothing to keep', { method: 'reveals' }, true, 'password_would_show'],
  ['the password to a key, untested', { method: 'reveals', line: 'tls', key: 'K' }, false, 'not_tested'],
  ['the password to a key, in a test', { method: 'reveals', line: 'tls', key: 'K' }, true, null],
  ['the password to a socket, in a test', { method: 'reveals', line: 'socket', socketOwner: 26 }, true, null],
  ['the password to a verified server', { method: 'reveals', line: 'verified', key: 'K' }, false, null],
  ['nothing, untested', { method: 'asks_nothing' }, false, 'not_tested'],
  ['nothing, in a test', { method: 'asks_nothing' }, true, null],
])('a place where nobody has signed in asks for %s', (_, change, mayPin, expected) => {
  expect(refusal(null, change, mayPin)).toBe(expected);
});

test.each<[string, Partial<KnownServer>, Partial<SignInStep>, ReturnType<typeof refusal>]>([
  ['SCRAM, then md5', {}, { method: 'guessable' }, 'weaker_method'],
  ['SCRAM, then clear text', {}, { method: 'reveals' }, 'password_would_show'],
  ['SCRAM, then nothing', {}, { method: 'asks_nothing' }, 'asks_nothing'],
  ['PLUS, then SCRAM over TLS', { method: 'proves_line', isEncrypted: true }, { line: 'tls' }, 'binding_gone'],
  [
    'PLUS, then SCRAM over verified TLS',
    { method: 'proves_line', isEncrypted: true },
    { line: 'verified' },
    'binding_gone',
  ],
  [
    'a proof of the line, then one of another over verified TLS',
    { method: 'proves_line', isEncrypted: true },
    { line: 'verified', method: 'legacy', proof: 'wrong' },
    'relayed',
  ],
  [
    'no proof of the line, then one of another over verified TLS, as behind a proxy',
    { method: 'legacy', isEncrypted: true },
    { line: 'verified', method: 'legacy', proof: 'wrong' },
    null,
  ],
  ['TLS, then none', { isEncrypted: true }, {}, 'tls_gone'],
  ['md5, then SCRAM', { method: 'guessable' }, {}, null],
  ['md5, then md5', { method: 'guessable' }, { method: 'guessable' }, null],
  ['a key, then another', { method: 'reveals', keys: ['K'] }, { method: 'reveals', key: 'L' }, 'another_key'],
  ['a key, then the same', { method: 'guessable', keys: ['K'] }, { method: 'reveals', key: 'K' }, null],
  ['no key, then one', { method: 'guessable' }, { method: 'reveals', key: 'K' }, 'unknown_key'],
  [
    'the password itself, then its proof by SHA-1',
    { method: 'reveals', keys: ['K'] },
    { method: 'legacy' },
    'weaker_method',
  ],
  [
    'the password itself under an RSA key, then its proof by SHA-1 over TLS of another key',
    { method: 'reveals', keys: ['K'] },
    { line: 'tls', method: 'legacy', key: 'L' },
    'weaker_method',
  ],
  ['the password itself, then another proof of it', { method: 'reveals', keys: ['K'] }, { method: 'guessable' }, null],
  ['a proof by SHA-1, then the same', { method: 'legacy' }, { method: 'legacy' }, null],
  ['nothing, then nothing', { method: 'asks_nothing' }, { method: 'asks_nothing' }, null],
  ['a socket, then another user’s', { socketOwner: 26 }, { line: 'socket', socketOwner: 1000 }, 'another_owner'],
  [
    'a socket, then clear text on it',
    { socketOwner: 26 },
    { line: 'socket', socketOwner: 26, method: 'reveals' },
    null,
  ],
])('%s', (_, before, change, expected) => {
  expect(refusal(known(before), change)).toBe(expected);
  // A test changes nothing about a known place: any program can run one.
  expect(refusal(known(before), change, true)).toBe(expected);
});

test.each<[KnownServer['method'], SignInStep['method'], ReturnType<typeof refusal>]>([
  ['proves_line', 'asks_nothing', 'asks_nothing'],
  ['proves_line', 'reveals', 'weaker_method'],
  ['proves_line', 'guessable', 'weaker_method'],
  ['proves_line', 'proves_line', null],
  ['proves', 'reveals', 'weaker_method'],
  ['proves', 'legacy', 'weaker_method'],
  ['proves', 'proves', null],
  // MySQL asks for the password itself after a restart, and the certificate has told who asks.
  ['guessable', 'reveals', null],
  ['guessable', 'legacy', null],
  ['reveals', 'asks_nothing', 'asks_nothing'],
  ['asks_nothing', 'asks_nothing', null],
  ['asks_nothing', 'reveals', null],
])('over verified TLS, one that has shown %s, then %s', (before, method, expected) => {
  const best = known({ method: before, isEncrypted: true, keys: ['K'] });
  expect(refusal(best, { line: 'verified', method, key: 'L' })).toBe(expected);
  expect(refusal(best, { line: 'verified', method, key: 'L' }, true)).toBe(expected);
});

test('a MariaDB over verified TLS may yet prove its line, and must if it did before', () => {
  const best = known({ method: 'proves_line', isEncrypted: true });
  expect(refusal(best, { line: 'verified', method: 'legacy', proof: 'pending' })).toBeNull();
  expect(refusal(best, { line: 'verified', method: 'legacy' })).toBe('weaker_method');
});

test('a person who has switched TLS off isn’t asked why it is gone', () => {
  const before = known({ method: 'proves_line', isEncrypted: true });
  expect(refusal(before, {}, false, false)).toBeNull();
  expect(refusal(before, { method: 'guessable' }, false, false)).toBe('weaker_method');
});

test('an impostor that only takes what can be guessed adds no key, not even in a test', () => {
  const before = known({ method: 'guessable', isEncrypted: true });
  const after = knownAfter(before, step({ line: 'tls', method: 'guessable', key: 'Impostor' }), true, null, at);
  expect(after.keys).toEqual([]);
  expect(refusal(after, { line: 'tls', method: 'reveals', key: 'Impostor' }, true)).toBe('unknown_key');
});

test('a key that a server makes anew at each start is not kept, and is known if it was', () => {
  const passing = { line: 'tls', method: 'legacy', key: 'K', isPassing: true } as const;
  expect(knownAfter(null, step(passing), true, null, at).keys).toEqual([]);
  expect(knownAfter(null, step({ ...passing, method: 'proves_line' }), true, null, at).keys).toEqual([]);
  // Its account once showed the password itself to this key.
  const shown = known({ method: 'reveals', isEncrypted: true, keys: ['K'] });
  expect(refusal(shown, passing)).toBeNull();
  expect(refusal(shown, { ...passing, key: 'L' })).toBe('another_key');
});

test('what is kept only gets better, and the first address stays', () => {
  const first = knownAfter(null, step({ line: 'tls', method: 'guessable', key: 'K' }), true, '127.0.0.1', at);
  expect(first).toEqual({
    isEncrypted: true,
    method: 'guessable',
    keys: ['K'],
    socketOwner: null,
    address: '127.0.0.1',
    since: at,
  });
  const later = '2026-11-21T12:00:00.000Z';
  const second = knownAfter(first, step({ line: 'tls', method: 'proves_line', key: 'L' }), false, '::1', later);
  expect(second).toMatchObject({ method: 'proves_line', keys: ['K', 'L'], address: '127.0.0.1', since: at });
  const third = knownAfter(second, step({ line: 'verified', method: 'reveals', key: 'M' }), false, null, later);
  expect(third).toMatchObject({ method: 'proves_line', keys: ['K', 'L', 'M'] });
});

test.each<[Partial<KnownServer>, boolean, Parameters<typeof proofOf>[2]['mode'], ReturnType<typeof proofOf>]>([
  [{ socketOwner: 26, method: 'asks_nothing' }, true, 'disable', 'socket_owner'],
  [{ method: 'guessable', isEncrypted: true }, false, 'verify-full', 'certificate'],
  // An authority of this computer's certifies anybody.
  [{ method: 'guessable', isEncrypted: true, keys: ['K'] }, false, 'verify-ca', 'key'],
  [{ method: 'proves_line', isEncrypted: true, keys: ['K'] }, false, 'prefer', 'line'],
  // It signs in without TLS now, as the person wished.
  [{ method: 'proves_line', isEncrypted: true }, false, 'disable', 'password'],
  [{ method: 'proves' }, false, 'prefer', 'password'],
  [{ method: 'guessable', isEncrypted: true, keys: ['K'] }, false, 'require', 'key'],
  // A key that guards the password alone.
  [{ method: 'guessable', keys: ['RSA'] }, false, 'prefer', 'nothing'],
  [{ method: 'legacy', isEncrypted: true }, false, 'require', 'nothing'],
  [{ method: 'asks_nothing' }, false, 'prefer', 'nothing'],
])('one that has shown %j, by a socket %s, under %s, proves itself by %s', (change, isSocket, mode, proof) => {
  expect(proofOf(known(change), isSocket, { mode, caFile: null })).toBe(proof);
});
