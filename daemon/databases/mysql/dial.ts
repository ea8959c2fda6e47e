/**
 * Dials one connection: password, CA, TLS mode. It decides when clear text may follow, not about pooling or sessions.
 * Nothing is read from `~/.my.cnf` or the environment: mysql2 knows neither.
 */

import { readFile } from 'node:fs/promises';
import type { Endpoint } from '../../access/connection.ts';
import type { Answer, DatabasePorts } from '../../query/database.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { Destination } from './destination.ts';
import { dialFailure, noTlsFailure } from './failure.ts';
import type { Link } from './link.ts';
import { handshake } from './sign-in.ts';
import type { TlsWish } from './tls.ts';

export type Dial = (to: Destination, timeoutSeconds: number, signal: AbortSignal) => Promise<Answer<Link>>;

export function dialer(endpoint: Endpoint, ports: DatabasePorts): Dial {
  return async (to, timeoutSeconds, signal) => {
    try {
      const password = await unlessAborted(ports.password(), signal);
      const ca = await readCa(endpoint);
      const host = endpoint.host ?? 'localhost';
      const attempt = (wish: TlsWish | null) => handshake({ endpoint, to, password, wish, timeoutSeconds }, signal);
      const { mode } = endpoint.tls;
      let result = await attempt(mode === 'disable' ? null : { mode, host, ca });
      // The server's greeting said that it has no TLS; a handshake that failed never leads here.
      if (result.kind === 'no_tls' && mode === 'prefer') result = await attempt(null);
      return result.kind === 'no_tls' ? noTlsFailure(endpoint) : result;
    } catch (error) {
      return signal.aborted ? { kind: 'cancelled' } : dialFailure(endpoint, error);
    }
  };
}

async function readCa(endpoint: Endpoint): Promise<Buffer | null> {
  const { caFile } = endpoint.tls;
  if (caFile === null) return null;
  return readFile(caFile).catch(() => {
    throw new Error(`the CA file ${caFile} can not be read`);
  });
}
