/**
 * Where a pairing's answer may go (spec §10): loopback, or a private-use scheme that an installed app handles.
 * Judged on the text as written: what one URL parser forgives, another may read as another host.
 */

/** Launchers take the answer as JSON in one query item (spec §10). The next one is one line. */
const launcherSchemes = new Set(['raycast']);

const loopback = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?(?=[/?]|$)/i;
const privateUse = /^([a-z][a-z0-9+.-]*):(?!$)/i;
/** Parsers drop or turn some of these; none of them belongs into an address unescaped. */
const unwelcome = /[\p{C}\p{Z}\\"<>^`{|}#]/u;
/** What we add ourselves: already there, it could be taken for our answer. */
const reserved = new Set(['code', 'error', 'error_description', 'state', 'context']);

/**
 * Never callbacks: the web's own, ours, databases, and those whose handler reaches out to the host the address names. Each part
 * of a `+` name counts: `git+ssh:` is ssh, and `web+any:` goes to the web site that registered it with a browser.
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

/** @param handler the app that the shell found registered for the scheme; null for none (loopback needs none). */
export function isLocalCallback(redirect: string, handler: string | null): boolean {
  if (unwelcome.test(redirect) || carriesReserved(redirect)) return false;
  if (loopback.test(redirect)) return hasRealPort(redirect);
  const scheme = schemeOf(redirect);
  if (scheme === null || handler === null) return false;
  if (scheme.split('+').some(part => refusedSchemes.has(part))) return false;
  return !hasCredentials(redirect);
}

/** Lower case; null where there is none. */
export function schemeOf(redirect: string): string | null {
  return privateUse.exec(redirect)?.[1]?.toLowerCase() ?? null;
}

/** The TCP port of a loopback address; null for any other. */
export function loopbackPort(redirect: string): number | null {
  const found = loopback.exec(redirect);
  if (found === null) return null;
  return found[2] === undefined ? (/^https/i.test(redirect) ? 443 : 80) : Number(found[2].slice(1));
}

type PairingAnswer =
  | { readonly kind: 'approved'; readonly code: string }
  /** Spec §10. */
  | { readonly kind: 'denied' };

/** The address with the answer added; every query item that was there stays as it is. */
export function answerAddress(redirect: string, answer: PairingAnswer, state: string | null): string {
  const items: Record<string, string> =
    answer.kind === 'approved' ? { code: answer.code } : { error: 'denied', error_description: 'user_denied' };
  if (state !== null) items.state = state;
  const query = launcherSchemes.has(schemeOf(redirect) ?? '')
    ? `context=${encodeURIComponent(JSON.stringify(items))}`
    : Object.entries(items)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
  const separator = !redirect.includes('?') ? '?' : /[?&]$/.test(redirect) ? '' : '&';
  return `${redirect}${separator}${query}`;
}

function hasRealPort(redirect: string): boolean {
  const port = loopback.exec(redirect)?.[2];
  return port === undefined || (Number(port.slice(1)) >= 1 && Number(port.slice(1)) <= 65_535);
}

function hasCredentials(redirect: string): boolean {
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(redirect)?.[1] ?? '';
  return authority.includes('@');
}

function carriesReserved(redirect: string): boolean {
  const query = redirect.slice(redirect.indexOf('?') + 1);
  if (!redirect.includes('?')) return false;
  return query.split('&').some(item => {
    const name = decoded(item.split('=')[0] ?? '');
    return name === null || reserved.has(name.toLowerCase());
  });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).trim();
  } catch {
    return null;
  }
}
