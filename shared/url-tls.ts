/**
 * How safely a pasted connection reaches its server: TLS mode and files from its options. Touches
 * no file.
 */

import type { ConnectionUrlTls, TlsModeWord } from './control-commands.ts';
import { isObject, parsedJson } from './json.ts';
import { holdsPlaceholder } from './placeholders.ts';
import type { GivenOptions } from './url-options.ts';
import { absolutePath, type PathBase, type RefusedUrl, refusedUrl } from './url-parts.ts';

/** Words of PostgreSQL, Sallyport, MySQL, MariaDB, Prisma, Go and node-postgres. */
const tlsModes: Readonly<Record<string, TlsModeWord>> = {
  disable: 'disable',
  disabled: 'disable',
  false: 'disable',
  off: 'disable',
  no: 'disable',
  '0': 'disable',
  prefer: 'prefer',
  preferred: 'prefer',
  require: 'require',
  required: 'require',
  'no-verify': 'require',
  'skip-verify': 'require',
  trust: 'require',
  'accept-invalid-certs': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  'verify-identity': 'verify-full',
  strict: 'verify-full',
  true: 'verify-full',
  on: 'verify-full',
  yes: 'verify-full',
  '1': 'verify-full',
};

export function tlsOf(given: GivenOptions, base: PathBase): ConnectionUrlTls | RefusedUrl {
  const asked = modeOf(given);
  if (asked === 'allow') {
    return refusedUrl(
      'Sallyport does not take the TLS mode allow: it sends the password in clear text first. Write prefer, require or verify-full.',
    );
  }
  if (asked === 'unknown') {
    return refusedUrl('The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.');
  }
  // PostgreSQL's word for the system's certificate authorities; Sallyport uses those if no file is
  // given.
  const isSystems = given.caFile === 'system';
  const caFile = isSystems || given.caFile === undefined ? null : filePath(given.caFile, base);
  if (!isSystems && given.caFile !== undefined && caFile === null)
    return refusedUrl('Write the whole path of the CA file.');
  const tls = { mode: withAuthority(asked, isSystems, caFile !== null), caFile };
  if (given.certificateFile === undefined && given.keyFile === undefined) return tls;
  if (given.certificateFile === undefined || given.keyFile === undefined)
    return refusedUrl('sslcert and sslkey belong together; name both files.');
  const certificateFile = filePath(given.certificateFile, base);
  const keyFile = filePath(given.keyFile, base);
  if (certificateFile === null || keyFile === null) return refusedUrl('Write the whole paths of sslcert and sslkey.');
  return { ...tls, clientCertificate: { certificateFile, keyFile } };
}

/** Null for a placeholder or a variable, too: `<path>`, `$CERTS/ca.pem`. */
function filePath(written: string, base: PathBase): string | null {
  const path = absolutePath(written, base);
  return path !== null && (holdsPlaceholder(path) || path.includes('/$')) ? null : path;
}

/**
 * Like libpq: `require` with an authority's file means `verify-ca`; the system's authorities need
 * `verify-full`.
 */
function withAuthority(mode: TlsModeWord | null, isSystems: boolean, hasFile: boolean): TlsModeWord | null {
  if (isSystems && (mode === null || mode === 'require')) return 'verify-full';
  return hasFile && mode === 'require' ? 'verify-ca' : mode;
}

type Asked = TlsModeWord | null | 'allow' | 'unknown';

function modeOf(given: GivenOptions): Asked {
  if (given.tlsMode !== undefined) return modeNamed(given.tlsMode);
  const wish = given.tlsWish === undefined ? null : modeNamed(given.tlsWish);
  if (wish === 'unknown' || wish === 'allow') return wish;
  if (wish === 'disable' || isTrue(given.tlsDisabled)) return 'disable';
  if (isTrue(given.trustsServer) || isFalse(given.verifiesCertificate)) return 'require';
  if (isFalse(given.verifiesName) && (wish === null || wish === 'verify-full')) return 'verify-ca';
  const isVerified =
    isTrue(given.tlsRequired) ||
    isTrue(given.verifiesName) ||
    isTrue(given.verifiesCertificate) ||
    isFalse(given.trustsServer);
  return wish ?? (isVerified ? 'verify-full' : null);
}

function modeNamed(typed: string): TlsModeWord | 'allow' | 'unknown' {
  if (typed.startsWith('{')) return modeOfJson(typed);
  const word = typed.toLowerCase().replaceAll('_', '-');
  if (word === 'allow') return 'allow';
  return Object.hasOwn(tlsModes, word) ? (tlsModes[word] ?? 'unknown') : 'unknown';
}

/**
 * mysql2's form: `{"rejectUnauthorized":true,"minVersion":"TLSv1.2"}`. Any further member would
 * change how safely.
 */
function modeOfJson(typed: string): TlsModeWord | 'unknown' {
  const wish: unknown = parsedJson(typed);
  if (!isObject(wish)) return 'unknown';
  const { rejectUnauthorized = true, minVersion = 'TLSv1.2', ...others } = wish;
  const isKnown = Object.keys(others).length === 0 && /^TLSv1(?:\.[0-2])?$/.test(String(minVersion));
  if (!isKnown || typeof rejectUnauthorized !== 'boolean') return 'unknown';
  return rejectUnauthorized ? 'verify-full' : 'require';
}

function isTrue(typed: string | undefined): boolean {
  return typed !== undefined && /^(?:true|1|on|yes)$/i.test(typed);
}

function isFalse(typed: string | undefined): boolean {
  return typed !== undefined && /^(?:false|0|off|no)$/i.test(typed);
}
