/** Where rows of the activity log are forwarded to, as the setting `log.forward` names it. */

import { isAbsolute, normalize } from 'node:path';

export type Place =
  | { readonly kind: 'file'; readonly path: string }
  /** Syslog over a stream: a Unix socket's path, or a TCP port of this machine. */
  | {
      readonly kind: 'stream';
      readonly at: { readonly path: string } | { readonly host: string; readonly port: number };
    }
  /** Syslog over UDP on this machine. */
  | { readonly kind: 'datagram'; readonly host: string; readonly port: number };

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** @returns a sentence if it names no place that is forwarded to. */
export function placeOf(text: string, home: string): Place | string {
  if (isAbsolute(text)) {
    const path = normalize(text);
    return path === home || path.startsWith(`${home}/`)
      ? "Sallyport's own folder takes no such file; name one elsewhere."
      : { kind: 'file', path };
  }
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length);
    return isAbsolute(path) ? { kind: 'stream', at: { path } } : notUnderstood;
  }
  const url = URL.parse(text);
  if (url === null || !['tcp:', 'udp:'].includes(url.protocol) || url.port === '') return notUnderstood;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // What leaves the machine needs TLS and a name; a collector here has both.
  if (!loopback.has(host)) return 'Only a collector on this machine is forwarded to; it sends the log on, by TLS.';
  const port = Number(url.port);
  return url.protocol === 'tcp:' ? { kind: 'stream', at: { host, port } } : { kind: 'datagram', host, port };
}

const notUnderstood =
  'A place is the absolute path of a file, unix:/PATH, tcp://127.0.0.1:PORT or udp://127.0.0.1:PORT, or nothing.';
