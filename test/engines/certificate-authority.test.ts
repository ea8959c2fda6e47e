/** If a CA file holds something else, the error says what. */

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Endpoint } from '../../daemon/access/connection.ts';
import { authorityDigest, onlyRoots, readAuthority } from '../../daemon/engines/certificate-authority.ts';
import { readClientCertificate } from '../../daemon/engines/client-certificate.ts';
import { dialFailure as ofMysql } from '../../daemon/engines/mysql/failure.ts';
import { Refused } from '../../daemon/engines/mysql/wire/authentication.ts';
import { problemOf as ofPostgres } from '../../daemon/engines/postgres/failure.ts';
import { dialAdvice } from '../../daemon/shells/dial-advice.ts';
import { missingPrograms, needs } from '../needs.ts';
import { type Certificates, makeCertificates } from '../servers/certificates.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const folder = temporaryFolder();
const openssl = (...words: string[]): Buffer => execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] });
const pkcs12 = ({ caFile }: Certificates): Buffer =>
  openssl('pkcs12', '-export', '-nokeys', '-in', caFile, '-passout', 'pass:x');

needs(missingPrograms(['openssl'], 'apt-get install openssl')).describe('a CA file', () => {
  let made: Certificates;
  beforeAll(async () => {
    made = await makeCertificates(join(folder, 'certificates'));
  });

  test('is no pipe, device or folder, and nothing larger than any', async () => {
    const [pipe, large] = [join(folder, 'pipe'), join(folder, 'large.pem')];
    execFileSync('mkfifo', [pipe]);
    writeFileSync(large, '');
    truncateSync(large, 5 * 1024 * 1024);
    for (const caFile of [pipe, large, '/dev/zero', folder]) {
      await expect(readAuthority({ mode: 'verify-ca', caFile })).rejects.toThrow('could not be read');
      expect(await authorityDigest(caFile)).toBeNull();
      const files = [
        [caFile, pipe, 'certificate'],
        [made.caFile, caFile, 'key'],
      ] as const;
      for (const [certificateFile, keyFile, what] of files)
        await expect(
          readClientCertificate({ mode: 'require', caFile: null, clientCertificate: { certificateFile, keyFile } }),
        ).rejects.toThrow(`the client ${what} `);
    }
  });

  test('in PEM is read', async () => {
    expect(await readAuthority({ mode: 'verify-ca', caFile: made.caFile })).toEqual(readFileSync(made.caFile));
  });

  test.each<[holds: string, contents: () => Buffer | string, problem: RegExp]>([
    ['nothing', () => ' \n', /x\.crt is empty$/],
    ['DER', () => new X509Certificate(readFileSync(made.caFile)).raw, /is in the form DER where PEM is expected/],
    ['PKCS #12', () => pkcs12(made), /is a PKCS #12 file/],
    [
      'PKCS #7',
      () => openssl('crl2pkcs7', '-nocrl', '-certfile', made.caFile, '-outform', 'DER'),
      /PKCS #7.*-inform der/,
    ],
    ['PKCS #7 in PEM', () => openssl('crl2pkcs7', '-nocrl', '-certfile', made.caFile), /PKCS #7 bundle/],
    [
      'a key in DER',
      () => openssl('pkcs8', '-topk8', '-nocrypt', '-outform', 'DER', '-in', made.serverKeyFile),
      /DER.*pkey/,
    ],
    ['a keystore of Java', () => Buffer.from('feedfeed00000002', 'hex'), /is a Java keystore/],
    ['a key', () => readFileSync(made.serverKeyFile), /holds a private key where a certificate is expected/],
    ['words', () => 'hello', /holds no certificate in PEM/],
  ])('with %s', async (_, contents, problem) => {
    const path = join(folder, 'x.crt');
    writeFileSync(path, contents());
    await expect(readAuthority({ mode: 'verify-full', caFile: path })).rejects.toThrow(problem);
  });
});

test('only root’s own files may change', async () => {
  const [anna, root] = [1_000, 0];
  const systems = '/etc/ssl/certs/ca-certificates.crt';
  if (existsSync(systems)) expect(await onlyRoots(systems, anna)).toBe(realpathSync(systems));
  expect(await onlyRoots('/etc/passwd', anna)).toBe('/etc/passwd');
  // To root's own daemon any program of root's is what a user's is to a user's.
  expect(await onlyRoots('/etc/passwd', root)).toBeNull();
  const [own, link] = [join(folder, 'own.pem'), join(folder, 'link.pem')];
  writeFileSync(own, '');
  symlinkSync('/etc/passwd', link);
  // Others may make what they like in the folder above.
  for (const path of [own, link, join(folder, 'missing.pem')]) expect(await onlyRoots(path, anna)).toBeNull();
});

test.each([
  ['password_refused', /`sallyport connections set 'Anna'\\''s' --password-stdin`/],
  ['tls_failed', /--tls disable/],
  ['authority_file', /^null$/],
] as const)('advice after %s', (problem, advice) => {
  expect(String(dialAdvice(problem, "Anna's"))).toMatch(advice);
});

test.each(['password_refused', 'password_or_tls_refused'] as const)(
  'advice after %s of a command’s password is about the command',
  problem => {
    const advice = String(dialAdvice(problem, 'shop', 'command'));
    expect(advice).toMatch(
      /^See what its password command prints, or .*`sallyport connections set shop --password-command/,
    );
    expect(advice).not.toContain('--password-stdin');
  },
);

test.each([
  ['28P01', 'fe_sendauth: das Passwort ist falsch', 'password_refused'],
  ['08P01', 'password authentication failed for user "anna"', 'password_refused'],
  ['08P01', 'SASL authentication failed', 'password_refused'],
  ['28000', 'no pg_hba.conf entry for host "127.0.0.1", user "a", database "d", no encryption', 'tls_wanted'],
  ['28000', 'role "anna" does not exist', null],
])('PostgreSQL says %s: %s', (code, message, problem) => {
  expect(ofPostgres({ severity: 'FATAL', code, message })).toBe(problem);
});

const endpoint = { tls: { mode: 'require', caFile: null }, socketPath: null, host: 'db', port: null } as Endpoint;
const unencrypted = { ...endpoint, tls: { ...endpoint.tls, mode: 'disable' } } as Endpoint;

test.each([
  [endpoint, 1045, "Access denied for user 'anna'@'localhost' (using password: YES)", 'password_refused'],
  [unencrypted, 1045, "Access denied for user 'anna'@'localhost' (using password: NO)", 'password_refused'],
  [unencrypted, 1045, "Access denied for user 'anna'@'localhost' (using password: YES)", 'password_or_tls_refused'],
  [endpoint, 1698, "Access denied for user 'anna'@'localhost'", 'password_refused'],
  [unencrypted, 3159, 'Connections using insecure transport are prohibited while …', 'tls_wanted'],
  [endpoint, 1044, "Access denied for user 'anna'@'%' to database 'x'", undefined],
])('MySQL with %j says %i: %s', (at, number, message, problem) => {
  const failure = ofMysql(at, new Refused({ kind: 'error', number, sqlState: null, message }));
  expect('problem' in failure ? failure.problem : undefined).toBe(problem);
});
