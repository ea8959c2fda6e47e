/**
 * Forms of JDBC and R2DBC that no other URL has, rewritten as the usual one: a wrapper's name
 * before the driver's, a way to choose among servers behind it, hosts as
 * `address=(host=h)(port=1)`, and a database of this machine without slashes.
 */

/** They watch or retry, and hand the rest to the driver. Any other word does something else. */
const wrappers = /^jdbc:(?:(?:aws-wrapper|tracing|otel|p6spy|log4jdbc):)+/i;
/** Each takes the servers that are named; we try them in turn. */
const choices =
  /^((?:jdbc:)?(?:mysql|mariadb|postgresql):)(?:loadbalance|load-balance-read|replication|failover|sequential|aurora):(?=\/\/)/i;
/** Its database, or `/` for the account's own. */
const onThisMachine = /^jdbc:postgresql:(?:\/(?=\?|$)|(?=[^/:?#@]+(?:\?|$)))/i;

/**
 * R2DBC's, with or without its pool, and Vert.x's. R2DBC's `r2dbcs:` asks for TLS, so it isn't
 * taken for this.
 */
const reactive = /^(?:r2dbc:(?:pool:)?|vertx-reactive:)(?=[a-z]+:(?:[a-z]+:)?\/\/)/i;

/** @returns any other text as it is. */
export function plainJdbc(text: string): string {
  if (reactive.test(text)) return text.replace(reactive, '').replace(choices, '$1');
  if (!/^jdbc:/i.test(text)) return text;
  return text
    .replace(wrappers, 'jdbc:')
    .replace(choices, '$1')
    .replace(onThisMachine, 'jdbc:postgresql://localhost/')
    .replace(/^jdbc:[a-z]+:\/\/(?:[^/?#@]*@)?[^/?#@]*(?=[/?]|$)/i, withPlainHosts);
}

/** Whether a word that isn't known stands between the driver's name and the hosts. */
export function hasUnknownWord(text: string): boolean {
  return /^jdbc:[a-z]+:[a-z-]+:/i.test(text);
}

function withPlainHosts(place: string): string {
  const begin = place.lastIndexOf(place.includes('@') ? '@' : '/') + 1;
  const hosts = withoutBrackets(place.slice(begin)).replace(
    /(^|,)(?:address=)?((?:\([^()]*\))+)/gi,
    (whole, before: string, parts: string) => {
      const host = hostOf(parts);
      return host === null ? whole : `${before}${host}`;
    },
  );
  return place.slice(0, begin) + hosts;
}

/** Connector/J puts hosts with one account in brackets, `[h1:1,h2:2]`, as others an address. */
function withoutBrackets(hosts: string): string {
  const isAddress = !hosts.startsWith('[[') && hosts.indexOf(']') < hosts.length - 1;
  const isList = hosts.startsWith('[') && hosts.endsWith(']') && /[,=]/.test(hosts);
  return isList && !isAddress ? hosts.slice(1, -1) : hosts;
}

/** Connector/J: `(host=h)(port=1)` or `(host=h,port=1)`; null if another key is there. */
function hostOf(parts: string): string | null {
  const pairs = parts
    .slice(1, -1)
    .split(/\)\(|,/)
    .map(pair => pair.split('='));
  const value = new Map(pairs.map(([key = '', given = '']) => [key.trim().toLowerCase(), given.trim()]));
  const isKnown = [...value.keys()].every(key => ['host', 'port', 'type', 'priority', 'protocol'].includes(key));
  const host = value.get('host') ?? '';
  const port = value.get('port');
  const isOther = !/^tcp$/i.test(value.get('protocol') ?? 'tcp') || !/^(?:[\w.-]+|\[?[0-9a-f:.]+\]?)$/i.test(host);
  if (!isKnown || isOther) return null;
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${bracketed}${port === undefined ? '' : `:${port}`}`;
}
