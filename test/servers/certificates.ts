/**
 * A test CA and the server certificates that it signs. `openssl` makes them in a folder that the
 * caller owns and removes.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromTemplate } from './template.ts';

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Absolute paths of PEM files. */
export interface Certificates {
  /** The CA that signed all server certificates below. */
  readonly caFile: string;
  /** A CA that signed none of them. */
  readonly otherCaFile: string;
  /** For `localhost`, `127.0.0.1` and `::1`. */
  readonly serverCertificateFile: string;
  readonly serverKeyFile: string;
  /** For `elsewhere.test` only. */
  readonly wrongHostCertificateFile: string;
  readonly wrongHostKeyFile: string;
  /** For `localhost`; expired yesterday. */
  readonly expiredCertificateFile: string;
  readonly expiredKeyFile: string;
  /**
   * Of the client `certified_role`, from the same CA. Only their owner may read this key and the
   * next.
   */
  readonly client: Certificate;
  /** Of a client with that name, from the other CA. */
  readonly otherClient: Certificate;
}

function openssl(folder: string, args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}

function makeKey(folder: string, name: string): void {
  openssl(folder, ['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', `${name}.key`]);
}

function makeAuthority(folder: string, name: string): void {
  makeKey(folder, name);
  openssl(folder, [
    'req',
    '-new',
    '-x509',
    '-key',
    `${name}.key`,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
    '-out',
    `${name}.crt`,
  ]);
}

function makeClient(folder: string, name: string, authority: string): void {
  makeKey(folder, name);
  openssl(folder, ['req', '-new', '-key', `${name}.key`, '-subj', '/CN=certified_role', '-out', `${name}.csr`]);
  const signed = ['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2'];
  openssl(folder, ['x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`]);
}

function makeServer(
  folder: string,
  name: string,
  subjectAlternativeNames: string,
  days: number,
  by = 'test-ca',
): Certificate {
  makeKey(folder, name);
  openssl(folder, ['req', '-new', '-key', `${name}.key`, '-subj', `/CN=${name}`, '-out', `${name}.csr`]);
  writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${subjectAlternativeNames}\n`);
  const authority = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', `${name}.ext`];
  openssl(folder, ['x509', '-req', '-in', `${name}.csr`, ...authority, '-days', `${days}`, '-out', `${name}.crt`]);
  return { certificateFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
}

/**
 * A copy of a key beside it, locked with a passphrase; only its owner may read it.
 * @param form `pkey` for PKCS #8, `ec` for OpenSSL's older form.
 */
export function lockedKey(keyFile: string, passphrase: string, form: 'pkey' | 'ec' = 'pkey'): string {
  const locked = `${keyFile}.${form}`;
  const args = [form, '-in', keyFile, '-aes256', '-passout', 'env:PASSPHRASE', '-out', locked];
  execFileSync('openssl', args, { stdio: 'pipe', env: { ...process.env, PASSPHRASE: passphrase } });
  chmodSync(locked, 0o600);
  return locked;
}

/**
 * A server's certificate as in clouds: their own root, an intermediate authority that the server
 * sends too, many names.
 */
export interface Chain extends Certificate {
  readonly rootFile: string;
}

/**
 * @param folder exists; everybody may read the files made in it.
 * @param names may have wildcards: `*.example.com`.
 */
export function makeChain(folder: string, names: readonly string[]): Chain {
  makeAuthority(folder, 'root');
  makeKey(folder, 'between');
  openssl(folder, ['req', '-new', '-key', 'between.key', '-subj', '/CN=between', '-out', 'between.csr']);
  writeFileSync(join(folder, 'between.ext'), 'basicConstraints=critical,CA:TRUE\n');
  const signed = ['-CA', 'root.crt', '-CAkey', 'root.key', '-CAcreateserial', '-days', '2'];
  openssl(folder, ['x509', '-req', '-in', 'between.csr', ...signed, '-extfile', 'between.ext', '-out', 'between.crt']);
  const leaf = makeServer(folder, 'leaf', names.map(name => `DNS:${name}`).join(), 2, 'between');
  const certificateFile = join(folder, 'chain.crt');
  writeFileSync(
    certificateFile,
    ['leaf', 'between'].map(name => readFileSync(join(folder, `${name}.crt`), 'utf8')).join(''),
  );
  chmodSync(leaf.keyFile, 0o644);
  return { rootFile: join(folder, 'root.crt'), certificateFile, keyFile: leaf.keyFile };
}

/**
 * Certificates are made once a day by some twenty processes and copied for each server. They last
 * two days, and servers differ by their port. Throws if `openssl` is missing.
 * @param folder doesn't exist yet.
 */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const day = new Date().toISOString().slice(0, 10);
  await fromTemplate(`certificates-${day}`, folder, async () => install(folder));
  const file = (name: string): string => join(folder, name);
  const client = (name: string): Certificate => ({
    certificateFile: file(`${name}.crt`),
    keyFile: file(`${name}.key`),
  });
  return {
    caFile: file('test-ca.crt'),
    otherCaFile: file('other-ca.crt'),
    serverCertificateFile: file('server.crt'),
    serverKeyFile: file('server.key'),
    wrongHostCertificateFile: file('wrong-host.crt'),
    wrongHostKeyFile: file('wrong-host.key'),
    expiredCertificateFile: file('expired.crt'),
    expiredKeyFile: file('expired.key'),
    client: client('client'),
    otherClient: client('other-client'),
  };
}

function install(folder: string): void {
  mkdirSync(folder);
  makeAuthority(folder, 'test-ca');
  makeAuthority(folder, 'other-ca');
  makeServer(folder, 'server', 'DNS:localhost,IP:127.0.0.1,IP:::1', 2);
  makeServer(folder, 'wrong-host', 'DNS:elsewhere.test', 2);
  // It ends when it begins: OpenSSL 3.5 makes none whose end comes first.
  makeServer(folder, 'expired', 'DNS:localhost,IP:127.0.0.1,IP:::1', 0);
  makeClient(folder, 'client', 'test-ca');
  makeClient(folder, 'other-client', 'other-ca');
}
