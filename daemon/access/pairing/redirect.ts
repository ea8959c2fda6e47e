/**
 * Where a pairing's answer may go (spec §10): loopback, or a private-use scheme that an installed
 * app handles. Judged by the text as written, because parsers may disagree about the host.
 */

import { decoded, decodedItem } from '../../../shared/url-parts.ts';
import { isExtensionsOwn, isRefusedScheme } from './refused-schemes.ts';

/** Launchers take the answer as JSON in one query item. Add others here. */
const launcherSchemes = new Set(['raycast']);

const loopback = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]*)?(?=[/?#]|$)/i;
const privateUse = /^([a-z][a-z0-9+.-]*):(?!$)/i;
/** Parsers drop, change or escape some of these; an address must not hold them unescaped. */
const unwelcome = /[^!-~]|[\\"<>^`{|}]/;
/**
 * Items that we add: an existing one could be taken for our answer. The client can compare a
 * `state` with its own.
 */
const reserved = new Set(['code', 'error', 'error_description', 'context']);

/**
 * A local address with a defect gets its own sentence: "not a local callback" would mislead its
 * author.
 */
export type RedirectFault =
  | 'redirect_not_local'
  | 'redirect_port'
  | 'redirect_fragment'
  | 'redirect_characters'
  | 'redirect_encoding'
  | 'redirect_answered';

type RedirectRead =
  /** Spaces are percent-encoded; everything else is as written. */
  { readonly kind: 'local'; readonly redirect: string } | { readonly kind: 'refused'; readonly fault: RedirectFault };

/**
 * @param handler the app that the shell found for the scheme; null for none (loopback needs none).
 */
export function readRedirect(written: string, handler: string | null): RedirectRead {
  const redirect = written.replaceAll(' ', '%20');
  const fault = faultOf(redirect, handler);
  return fault === null ? { kind: 'local', redirect } : { kind: 'refused', fault };
}

function faultOf(redirect: string, handler: string | null): RedirectFault | null {
  const port = loopbackPort(redirect);
  if (port === null && !isAppsOwn(redirect, handler)) return 'redirect_not_local';
  if (port !== null && (port < 1 || port > 65_535)) return 'redirect_port';
  // RFC 6749 §3.1.2; a listener would never see it.
  if (redirect.includes('#')) return 'redirect_fragment';
  if (unwelcome.test(redirect)) return 'redirect_characters';
  if (decoded(redirect) === null) return 'redirect_encoding';
  return queryItems(redirect).some(([name]) => name !== null && reserved.has(name)) ? 'redirect_answered' : null;
}

function isAppsOwn(redirect: string, handler: string | null): boolean {
  const scheme = schemeOf(redirect);
  if (scheme === null || handler === null) return false;
  return !isRefusedScheme(scheme) && isExtensionsOwn(scheme, redirect) && !hasCredentials(redirect);
}

/**
 * False for a scheme that anybody may use: without a dot (RFC 8252 §7.1) and no launcher's. What
 * opens it may not be the client's app, so a no opens nothing.
 */
export function hearsOfNo(redirect: string): boolean {
  const scheme = schemeOf(redirect);
  return loopbackPort(redirect) !== null || scheme === null || scheme.includes('.') || launcherSchemes.has(scheme);
}

/** True if each `state` within the redirect equals this one, or if there is none. */
export function agreesOnState(redirect: string, state: string): boolean {
  return ownStates(redirect).every(own => own === state);
}

function ownStates(redirect: string): (string | null)[] {
  return queryItems(redirect).flatMap(([name, value]) => (name === 'state' ? [value] : []));
}

/** Lower case; null if there is none. */
export function schemeOf(redirect: string): string | null {
  return privateUse.exec(redirect)?.[1]?.toLowerCase() ?? null;
}

/** The TCP port of a loopback address, 0 if it is empty; null for any other address. */
export function loopbackPort(redirect: string): number | null {
  const found = loopback.exec(redirect);
  if (found === null) return null;
  return found[2] === undefined ? (/^https/i.test(redirect) ? 443 : 80) : Number(found[2].slice(1));
}

type PairingAnswer =
  | { readonly kind: 'approved'; readonly code: string }
  /** Spec §10. */
  | { readonly kind: 'denied' };

/** The address with the answer added. Existing query items stay, and a `state` isn't repeated. */
export function answerAddress(redirect: string, answer: PairingAnswer, state: string | null): string {
  const items: Record<string, string> =
    answer.kind === 'approved' ? { code: answer.code } : { error: 'denied', error_description: 'user_denied' };
  const isLauncher = launcherSchemes.has(schemeOf(redirect) ?? '');
  if (state !== null && (isLauncher || ownStates(redirect).length === 0)) items.state = state;
  const query = isLauncher
    ? `context=${encodeURIComponent(JSON.stringify(items))}`
    : Object.entries(items)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
  const separator = !redirect.includes('?') ? '?' : /[?&]$/.test(redirect) ? '' : '&';
  return `${redirect}${separator}${query}`;
}

function hasCredentials(redirect: string): boolean {
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(redirect)?.[1] ?? '';
  return authority.includes('@');
}

/** Names in lower case, trimmed; null for bad encoding. */
function queryItems(redirect: string): (readonly [name: string | null, value: string | null])[] {
  if (!redirect.includes('?')) return [];
  const query = redirect.slice(redirect.indexOf('?') + 1);
  return query.split('&').map(item => {
    const [name = ''] = item.split('=', 1);
    return [decodedItem(name)?.trim().toLowerCase() ?? null, decodedItem(item.slice(name.length + 1))] as const;
  });
}
