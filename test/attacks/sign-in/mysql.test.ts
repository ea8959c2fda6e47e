/**
 * Whoever answers in the place of a MySQL or MariaDB server gets neither the password nor a query.
 * `mysql-honest.test.ts` has the servers themselves.
 */

import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import type { SignInStep } from '../../../daemon/access/server-identity.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { type Certificates, makeCertificates } from '../../servers/certificates.ts';
import { type Home, homeWith, secret, statement } from './mysql-home.ts';
import {
  fast,
  full,
  type Impostor,
  nativeAnswer,
  ok,
  okWith,
  ownKey,
  scramble,
  startImpostor,
  switchTo,
  type Visit,
} from './mysql-impostor.ts';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-impostor-'));
const theirs = ownKey();
let certificates: Certificates;
let impostor: Impostor | null = null;

beforeAll(async () => {
  certificates = await makeCertificates(join(folder, 'certificates'));
});
afterEach(async () => {
  await impostor?.stop();
  impostor = null;
});
afterAll(() => rmSync(folder, { recursive: true }));

const asks =
  (...packets: readonly Buffer[]) =>
  async (visit: Visit) => {
    for (const [at, packet] of packets.entries()) {
      visit.send(packet);
      if (at < packets.length - 1) await visit.read();
    }
  };
const asksClearText = asks(switchTo('mysql_clear_password'), ok);
const asksFullByTls = asks(full, ok);
const asksFullByKey = asks(full, theirs.pem, ok);
const asksSha256 = asks(switchTo('sha256_password'), theirs.pem, ok);
const asksSha256ByTls = asks(switchTo('sha256_password'), ok);
const asksFullAfterYes = async (visit: Visit) => {
  visit.send(fast);
  visit.send(full);
};
const asksFullWithoutWaiting = async (visit: Visit) => visit.send(full);

const asksKeyAfterYes = async (visit: Visit) => {
  visit.send(fast);
  visit.send(theirs.pem);
};
const asksOkBeforeYes = async (visit: Visit) => {
  visit.send(ok);
  visit.send(fast);
};
const asksDialogWithout = asks(switchTo('dialog').subarray(0, 8), ok);
const asksDialog = asks(Buffer.from('\u00fedialog\0\u0004Password: ', 'latin1'), ok);
const parsecSwitch = Buffer.concat([Buffer.from('\u00feparsec\0', 'latin1'), Buffer.alloc(32, 7)]);
const parsecSalt = (kind: string, doublings: number) =>
  Buffer.concat([Buffer.from(kind), Buffer.from([doublings]), Buffer.alloc(18, 7)]);
const asksWithMoreBehind = async (visit: Visit) => {
  for (const packet of [fast, ok, ok]) visit.send(packet);
};
/** What a server asks for after LOAD DATA LOCAL INFILE. */
const fileRequest = Buffer.from('\u00fb/etc/passwd', 'latin1');
const secondFactor = Buffer.concat([Buffer.from([2]), switchTo('mysql_clear_password').subarray(1)]);
const error = Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from('#28000Access denied')]);
const otherKey = Buffer.concat([
  Buffer.from([1]),
  Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })),
]);

async function met(
  manners: Omit<Parameters<typeof startImpostor>[0], 'tls'>,
  before: Partial<SignInStep> | null,
  { tls = false, ...place }: Partial<Omit<Connection, 'tls'>> & { tls?: boolean } = {},
): Promise<Home> {
  const certificate = { certificateFile: certificates.serverCertificateFile, keyFile: certificates.serverKeyFile };
  impostor = await startImpostor({ ...manners, tls: tls ? certificate : undefined });
  const { port } = impostor;
  const home = await homeWith({ port, ...place, tls: { mode: 'prefer', caFile: null } });
  if (before !== null) await home.remembers(before);
  return home;
}

/** Nothing readable came, no key of theirs opens anything, and no query was sent. */
function gotNothing(): void {
  const received = impostor?.received() ?? Buffer.alloc(0);
  expect(received.includes(secret)).toBe(false);
  expect(received.includes(statement)).toBe(false);
  for (const packet of impostor?.packets() ?? []) expect(theirs.opened(packet)).not.toContain(secret);
}

const plain = { line: 'clear', method: 'guessable' } as const;
const withRsaKey = { ...plain, key: 'the RSA key of the server' };
const withCertificate = { line: 'tls', method: 'guessable', key: 'the key of its certificate' } as const;
const mariadb = { line: 'tls', method: 'proves_line' } as const;

describe('without TLS', () => {
  test.each([
    ['clear text', asksClearText, null, refusedAs('password_would_show')],
    ['clear text, after a quick sign-in', asksClearText, plain, refusedAs('password_would_show')],
    ['clear text, with a known key', asksClearText, withRsaKey, refusedAs('another_key')],
    ['a full sign-in under its own key', asksFullByKey, null, refusedAs('not_tested')],
    ['a full sign-in under its own key, after a quick one', asksFullByKey, plain, refusedAs('unknown_key')],
    ['a full sign-in under its own key, not the known one', asksFullByKey, withRsaKey, refusedAs('another_key')],
    ['sha256_password under its own key', asksSha256, null, refusedAs('not_tested')],
    ['sha256_password under its own key, after a quick sign-in', asksSha256, plain, refusedAs('unknown_key')],
    ['sha256_password under its own key, not the known one', asksSha256, withRsaKey, refusedAs('another_key')],
    ['a full sign-in, and no key', asks(full, ok), withRsaKey, /broke the MySQL protocol/],
    ['a full sign-in under no key', asks(full, Buffer.from([1, 65, 66]), ok), withRsaKey, /no RSA key/],
    ['PAM’s dialog, for something else', asks(switchTo('dialog'), ok), plain, /asks for dialog/],
    ['PAM’s dialog, with no question', asksDialogWithout, plain, refusedAs('password_would_show')],
    ['PAM’s dialog, with no question, to a known key', asksDialogWithout, withRsaKey, refusedAs('another_key')],
    ['PAM’s dialog', asksDialog, null, refusedAs('password_would_show')],
    ['PAM’s dialog, after a quick sign-in', asksDialog, plain, refusedAs('password_would_show')],
    ['PAM’s dialog, with a known key', asksDialog, withRsaKey, refusedAs('another_key')],
    [
      'two changes of the method',
      asks(switchTo('caching_sha2_password'), switchTo('mysql_clear_password')),
      plain,
      /twice/,
    ],
    ['a full sign-in after its yes', asksFullAfterYes, withRsaKey, /way of its own/],
    ['nothing', asks(ok), plain, /asked for the password before/],
    [
      'nothing, by a change of the method',
      asks(switchTo('caching_sha2_password'), ok),
      plain,
      /asked for the password before/,
    ],
    ['a weaker method', asks(switchTo('mysql_native_password'), ok), plain, refusedAs('weaker_method')],
    ['MariaDB’s ed25519', asks(switchTo('client_ed25519'), ok), plain, /asks for client_ed25519/],
    ['MariaDB’s parsec, with half a scramble', asks(switchTo('parsec'), ok), plain, /a length beyond the end/],
    ['parsec, and no salt', asks(parsecSwitch, ok), plain, /it sent no salt/],
    ['parsec, with a salt of another kind', asks(parsecSwitch, parsecSalt('Q', 0), ok), plain, /something else/],
    ['parsec, with two salts', asks(parsecSwitch, parsecSalt('P', 0), parsecSalt('P', 0), ok), plain, /something else/],
    ['parsec, with half a salt', asks(parsecSwitch, parsecSalt('P', 0).subarray(0, 9), ok), plain, /it sent no salt/],
    ['parsec, with a million rounds', asks(parsecSwitch, parsecSalt('P', 10), ok), plain, /it sent no salt/],
    ['parsec, and its key in the place of a salt', asks(parsecSwitch, theirs.pem, ok), withRsaKey, /it sent no salt/],
    [
      'Kerberos',
      asks(switchTo('authentication_kerberos_client'), ok),
      plain,
      /asks for authentication_kerberos_client/,
    ],
    ['LDAP', asks(switchTo('authentication_ldap_sasl_client'), ok), plain, /asks for authentication_ldap_sasl/],
    ['a method with a hostile name', asks(switchTo('a\u001b[2J\npassword'), ok), plain, /asks for another method/],
    ['a method with a long name', asks(switchTo('m'.repeat(9_000)), ok), plain, /asks for another method/],
    ['a method without a name', asks(switchTo(''), ok), plain, /asks for another method/],
    ['the old method, by its one byte', asks(Buffer.from([0xfe]), ok), plain, /asks for another method/],
    ['half a scramble', asks(switchTo('caching_sha2_password').subarray(0, 33), ok), plain, /broke the MySQL protocol/],
    ['a file, in the place of an answer', asks(fileRequest, ok), plain, /answered the sign-in with something else/],
    ['a file, in the middle', asks(full, fileRequest, ok), withRsaKey, /something else/],
    ['a second factor', asks(secondFactor, ok), plain, /answered the sign-in with something else/],
    ['rows, in the place of an answer', asks(Buffer.from([5]), ok), plain, /something else/],
    ['an error, in the middle', asks(full, error), withRsaKey, /Access denied/],
    ['its key unasked', asks(theirs.pem, ok), withRsaKey, /way of its own/],
    ['its key, after its yes', asksKeyAfterYes, withRsaKey, /way of its own/],
    ['its key twice', asks(full, theirs.pem, theirs.pem, ok), withRsaKey, refusedAs('another_key')],
    ['a full sign-in twice', asks(full, full, ok), withRsaKey, /no RSA key/],
    ['a key that is not RSA', asks(full, otherKey, ok), withRsaKey, /no RSA key/],
    ['a yes with more behind it', asks(Buffer.from([1, 3, 3]), ok), plain, /way of its own/],
    ['neither yes nor no', asks(Buffer.from([1, 9]), ok), plain, /way of its own/],
    ['a yes that ends early', asks(Buffer.from([1]), ok), plain, /way of its own/],
    ['OK before its yes', asksOkBeforeYes, plain, /asked for the password before/],
    ['more behind its OK', asksWithMoreBehind, plain, /broke the MySQL protocol/],
    ['an OK that is cut', asks(Buffer.from([0]), ok), plain, /broke the MySQL protocol/],
    ['sha256_password, and lets in before its key', asks(switchTo('sha256_password'), ok), withRsaKey, /no RSA key/],
  ])('%s', async (_, answer, before, refusal) => {
    const home = await met({ answer }, before);
    expect(await home.client()).toMatch(refusal);
    gotNothing();
    expect(impostor?.received().includes(nativeAnswer(secret))).toBe(false);
  });

  test.each([
    ['clear text', asksClearText],
    ['a full sign-in', asksFullByKey],
  ])('%s, while a person tests what was known', async (_, answer) => {
    const home = await met({ answer }, withRsaKey);
    expect(await home.person()).toMatch(refusedAs('another_key'));
    gotNothing();
  });

  test.each([
    ['a quick sign-in', plain],
    ['a full one', { ...withRsaKey, method: 'reveals' }],
  ] as const)('a greeting with the weaker method gets no answer by it, after %s', async (_, before) => {
    const home = await met(
      { usual: 'mysql_native_password', answer: asks(switchTo('mysql_native_password'), ok) },
      before,
    );
    expect(await home.client()).toMatch(refusedAs('weaker_method'));
    expect(impostor?.received().includes(nativeAnswer(secret))).toBe(false);
    gotNothing();
  });

  test('where TLS was before, not even the login', async () => {
    const home = await met({ answer: asks(fast, ok) }, withCertificate);
    expect(await home.client()).toMatch(refusedAs('tls_gone'));
    expect(impostor?.logins()).toBe(0);
    gotNothing();
  });
});

describe('with a TLS certificate of its own', () => {
  test.each([
    ['clear text', asksClearText, null, refusedAs('not_tested')],
    ['PAM’s dialog', asksDialog, null, refusedAs('not_tested')],
    ['PAM’s dialog, after a sign-in without TLS', asksDialog, plain, refusedAs('unknown_key')],
    ['clear text, after a sign-in without TLS', asksClearText, plain, refusedAs('unknown_key')],
    ['a full sign-in', asksFullByTls, null, refusedAs('not_tested')],
    ['a full sign-in, after one without TLS', asksFullByTls, withRsaKey, refusedAs('another_key')],
    ['sha256_password', asksSha256ByTls, null, refusedAs('not_tested')],
  ])('%s', async (_, answer, before, refusal) => {
    const home = await met({ answer }, before, { tls: true });
    expect(await home.client()).toMatch(refusal);
    gotNothing();
  });

  test.each([
    ['clear text', asksClearText],
    ['a full sign-in', asksFullByTls],
    ['what can be guessed', asks(fast, ok)],
    ['nothing', asks(ok)],
    ['a file', asks(fileRequest, ok)],
    ['an error', asks(error)],
    ['a weaker method', asks(switchTo('mysql_native_password'), ok)],
    ['sha256_password', asksSha256ByTls],
    ['its RSA key', asksFullByKey],
    ['parsec', asks(parsecSwitch, parsecSalt('P', 0), ok)],
  ])('%s: another certificate ends it before the login', async (_, answer) => {
    const home = await met({ answer }, withCertificate, { tls: true });
    expect(await home.client()).toMatch(refusedAs('another_key'));
    expect(impostor?.logins()).toBe(0);
    gotNothing();
  });

  test.each(['9.7.0', '11.8.2-MariaDB'])('the weaker method, called %s', async version => {
    const manners = { version, usual: 'mysql_native_password', answer: asks(switchTo('mysql_native_password'), ok) };
    const home = await met(manners, withCertificate, { tls: true });
    expect(await home.client()).toMatch(refusedAs('another_key'));
    expect(impostor?.received().includes(nativeAnswer(secret))).toBe(false);
    gotNothing();
  });
});

describe('in the place of a MariaDB that proves its certificate', () => {
  const version = '11.8.2-MariaDB';
  const usual = 'mysql_native_password';
  /** By whom knows the certificate, and takes this for the password. */
  const proofOf = (password: string, file: string): string => {
    const hash = (algorithm: string, ...parts: readonly (Buffer | string)[]) =>
      parts.reduce((all, part) => all.update(part), createHash(algorithm)).digest();
    const certificate = new X509Certificate(readFileSync(file)).raw;
    const stored = hash('sha1', hash('sha1', password));
    return `\u0001${hash('sha256', stored, scramble, hash('sha256', certificate)).toString('hex')}`;
  };

  const provesNothing = async (visit: Visit) => visit.send(okWith(proofOf('', certificates.serverCertificateFile)));
  const passesOnProof = async (visit: Visit) =>
    visit.send(okWith(proofOf(secret, certificates.wrongHostCertificateFile)));

  test.each([
    ['no proof', asks(ok), refusedAs('binding_gone', 'weaker_method')],
    ['a proof of its own', asks(okWith(`\u0001${'AB'.repeat(32)}`)), refusedAs('relayed')],
    ['something else', asks(okWith('welcome')), refusedAs('binding_gone', 'weaker_method')],
    ['clear text', asksClearText, refusedAs('unknown_key')],
    [
      'a full sign-in',
      asks(switchTo('caching_sha2_password'), full, ok),
      refusedAs('password_would_show', 'weaker_method'),
    ],
    ['sha256_password', asksSha256ByTls, refusedAs('unknown_key')],
    ['parsec without a proof', asks(parsecSwitch, parsecSalt('P', 0), ok), refusedAs('binding_gone', 'weaker_method')],
    [
      'parsec with a proof of its own',
      asks(parsecSwitch, parsecSalt('P', 0), okWith(`\u0001${'AB'.repeat(32)}`)),
      refusedAs('relayed'),
    ],
    [
      'a quick caching_sha2',
      asks(switchTo('caching_sha2_password'), fast, ok),
      refusedAs('binding_gone', 'weaker_method'),
    ],
    ['the start of a proof', asks(okWith(`\u0001${'AB'.repeat(31)}`)), refusedAs('binding_gone', 'weaker_method')],
    ['a proof of another kind', asks(okWith(`\u0002${'AB'.repeat(32)}`)), refusedAs('binding_gone', 'weaker_method')],
    ['a proof that knows no password', provesNothing, refusedAs('relayed')],
    ['the proof of the server behind it', passesOnProof, refusedAs('relayed')],
    ['a file', asks(fileRequest, ok), /something else/],
    ['an error', asks(error), /Access denied/],
  ])('%s', async (_, answer, refusal) => {
    const home = await met({ version, usual, answer }, mariadb, { tls: true });
    expect(await home.client()).toMatch(refusal);
    gotNothing();
  });

  test('a wrong proof ends the first sign-in too', async () => {
    const home = await met({ version, usual, answer: asks(okWith(`\u0001${'AB'.repeat(32)}`)) }, null, { tls: true });
    expect(await home.person()).toMatch(refusedAs('relayed'));
    gotNothing();
  });

  test('without TLS it gets no login', async () => {
    const home = await met({ version, usual, answer: asks(ok) }, mariadb);
    expect(await home.client()).toMatch(refusedAs('tls_gone'));
    expect(impostor?.logins()).toBe(0);
  });
});

describe('at another address', () => {
  test('a socket file of another owner', async () => {
    const socketPath = join(folder, 'mysqld.sock');
    const home = await met({ socketPath, answer: asksFullWithoutWaiting }, null, { host: null, socketPath });
    const uid = process.getuid?.() ?? 0;
    await home.remembers({ line: 'socket', socketOwner: uid + 1 });
    expect(await home.client()).toMatch(refusedAs('another_owner'));
    expect(impostor?.logins()).toBe(0);
    gotNothing();
    // The same file, if its owner is the one that was there.
    if (uid !== 0) return;
    chownSync(socketPath, uid + 1, 0);
    await home.client();
    expect(impostor?.received().includes(secret)).toBe(true);
  });
});
