/**
 * Raises a connection to TLS and verifies the server (spec §6). Done here because mysql2 compares
 * the certificate with `localhost` if the host is an IP address.
 */

import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { TlsMode } from '../../../access/connection.ts';
import type { CertificateAndKey } from '../../client-certificate.ts';

export interface TlsWish {
  readonly mode: Exclude<TlsMode, 'disable'>;
  readonly host: string;
  /** PEM; null for Node's own CAs. */
  readonly ca: Buffer | null;
  readonly client: CertificateAndKey | null;
}

/** True if the mode proves who the server is. */
export function verifies(mode: TlsMode): boolean {
  return mode === 'verify-ca' || mode === 'verify-full';
}

/** @param done called once: with null when secured, else with the reason. */
export function raiseToTls(socket: Socket, wish: TlsWish, done: (error: Error | null) => void): TLSSocket {
  const { host, mode } = wish;
  const secured = connect({
    socket,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: verifies(mode),
    checkServerIdentity: (_name, certificate) =>
      mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(wish.ca === null ? {} : { ca: wish.ca }),
    ...(wish.client ?? {}),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
  secured.once('secureConnect', () => done(null));
  secured.on('error', done);
  return secured;
}
