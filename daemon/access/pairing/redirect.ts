/**
 * Where a pairing's answer may go (spec §10): loopback, or a private-use scheme that an installed
 * app handles. Judged on the text as written: what one URL parser forgives, another may read as
 * another host.
 */

import { decoded, decodedItem } from '../../../shared/url-parts.ts';

/** Launchers take the answer as JSON in one query item (spec §10). The next one is one line. */
const launcherSchemes = new Set(['raycast']);

const loopback = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]*)?(?=[/?#]|$)/i;
const privateUse = /^([a-z][a-z0-9+.-]*):(?!$)/i;
/**
 * Parsers drop or turn some of these, and escape what isn't ASCII; none of them belongs into an
 * address unescaped.
 */
const unwelcome = /[^!-~]|[\\"<>^`{|}]/;
/**
 * What we add ourselves: already there, it could be taken for our answer. A `state` the client can
 * check against its own.
 */
const reserved = new Set(['code', 'error', 'error_description', 'context']);

/**
 * Never callbacks: the web's own, ours, databases, and those whose handler reaches out to the host
 * the address names. Each part of a `+` name counts: `git+ssh:` is ssh, and `web+any:` goes to the
 * web site that registered it with a browser.
 */
const refusedSchemes = new Set(
  `http https file javascript vbscript data blob about view-source filesystem sallyport
   postgres postgresql mysql mariadb sqlite sqlserver mssql oracle mongodb mongodb+srv redis rediss jdbc odbc cassandra
   clickhouse snowflake duckdb couchdb neo4j bolt amqp amqps kafka
   smb cifs afp nfs ssh sftp scp ftp ftps telnet rlogin rdp vnc ldap ldaps ws wss gopher git svn rsync webdav dav davs
   rtsp rtsps rtmp rtmps mms mmsh tftp fish nx spice ipp ipps finger gemini ipfs ipns vlc mpv iina
   microsoft-edge googlechrome googlechromes firefox firefox-focus brave opera vivaldi x-safari-http x-safari-https
   ms-word ms-excel ms-powerpoint ms-access ms-visio ms-project ms-publisher
   webcal feed podcast pcast itms itms-apps itms-services apt snap steam ms-appinstaller search-ms ms-search
   mailto sms tel facetime facetime-audio callto sip sips xmpp irc ircs magnet news nntp x-apple.systempreferences
   shell terminal x-man-page intent chrome chrome-extension moz-extension edge
   web ext`.split(/\s+/),
);

/**
 * A local address with a defect is told which: its author takes "not a local callback" for another
 * mistake.
 */
export type RedirectFault =
  | 'redirect_not_local'
  | 'redirect_port'
  | 'redirect_fragment'
  | 'redirect_characters'
  | 'redirect_encoding'
  | 'redirect_answered';

type RedirectRead =
  /** Its spaces are percent-encoded; all else is as it was written. */
  { readonly kind: 'local'; readonly redirect: string } | { readonly kind: 'refused'; readonly fault: RedirectFault };

/**
 * @param handler the app that the shell found registered for the scheme; null for none (loopback
 * needs none).
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
  // RFC 6749 §3.1.2; no request would bring it to a listener.
  if (redirect.includes('#')) return 'redirect_fragment';
  if (unwelcome.test(redirect)) return 'redirect_characters';
  if (decoded(redirect) === null) return 'redirect_encoding';
  return queryItems(redirect).some(([name]) => name !== null && reserved.has(name)) ? 'redirect_answered' : null;
}

function isAppsOwn(redirect: string, handler: string | null): boolean {
  const scheme = schemeOf(redirect);
  if (scheme === null || handler === null) return false;
  return !scheme.split('+').some(part => refusedSchemes.has(part)) && !hasCredentials(redirect);
}

/** Whether each `state` that the redirect brings along is this one; true where it brings none. */
export function agreesOnState(redirect: string, state: string): boolean {
  return ownStates(redirect).every(own => own === state);
}

function ownStates(redirect: string): (string | null)[] {
  return queryItems(redirect).flatMap(([name, value]) => (name === 'state' ? [value] : []));
}

/** Lower case; null where there is none. */
export function schemeOf(redirect: string): string | null {
  return privateUse.exec(redirect)?.[1]?.toLowerCase() ?? null;
}

/** The TCP port that a loopback address names, 0 for an empty one; null for any other address. */
export function loopbackPort(redirect: string): number | null {
  const found = loopback.exec(redirect);
  if (found === null) return null;
  return found[2] === undefined ? (/^https/i.test(redirect) ? 443 : 80) : Number(found[2].slice(1));
}

type PairingAnswer =
  | { readonly kind: 'approved'; readonly code: string }
  /** Spec §10. */
  | { readonly kind: 'denied' };

/**
 * The address with the answer added; every query item that was there stays as it is, and a `state`
 * isn't said twice.
 */
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

/** Names in lower case, without blanks around; null for what is not properly encoded. */
function queryItems(redirect: string): (readonly [name: string | null, value: string | null])[] {
  if (!redirect.includes('?')) return [];
  const query = redirect.slice(redirect.indexOf('?') + 1);
  return query.split('&').map(item => {
    const [name = ''] = item.split('=', 1);
    return [decodedItem(name)?.trim().toLowerCase() ?? null, decodedItem(item.slice(name.length + 1))] as const;
  });
}
