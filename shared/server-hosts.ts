/**
 * Several servers of one connection in the place of one host: `h1,h2:5433,[::1]:5434`, tried in
 * this order. Resolves no name.
 */

interface ServerHost {
  readonly host: string;
  /** Null: the connection's own port. */
  readonly port: number | null;
}

export const mostHosts = 16;

/** @returns null if it can't be read. A text without a comma is one host, unchanged. */
export function hostsIn(text: string): readonly ServerHost[] | null {
  const parts = text.split(',');
  if (parts.length === 1) return [{ host: text, port: null }];
  const hosts = parts.map(hostIn).filter(host => host !== null);
  return hosts.length === parts.length && parts.length <= mostHosts ? hosts : null;
}

/** An IPv6 address is in brackets, or has no port. */
function hostIn(part: string): ServerHost | null {
  const [, bracketed, name, port] = /^(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(part) ?? [];
  const isAddress = part.split(':').length > 2 && /^[0-9a-f:.]+(?:%[\w.-]+)?$/i.test(part);
  const host = bracketed ?? name ?? (isAddress ? part : undefined);
  if (host === undefined) return null;
  if (port === undefined) return { host, port: null };
  return Number(port) >= 1 && Number(port) <= 65_535 ? { host, port: Number(port) } : null;
}

/**
 * True for a name of this machine that stands for two addresses (RFC 6761 §6.3), one of IPv4 and
 * one of IPv6: different programs may listen there.
 */
export function isLocalhost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name === 'localhost.localdomain' || name.endsWith('.localhost');
}

/** In the form that {@link hostsIn} reads. */
export function hostsText(hosts: readonly ServerHost[]): string {
  return hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`)
    .join(',');
}

/** For people: `h1:5432 or h2:5433`. */
export function hostsShown(text: string, port: number | null): string {
  const hosts = hostsIn(text) ?? [{ host: text, port: null }];
  return hosts.map(one => hostsText([{ host: one.host, port: one.port ?? port }])).join(' or ');
}

/** PostgreSQL names a socket's file after its port; any other path may be the folder of one. */
export function namesSocketFile(path: string): boolean {
  return /\/\.s\.PGSQL\.\d+$/.test(path);
}
