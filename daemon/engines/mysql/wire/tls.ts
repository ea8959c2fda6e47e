/**
 * Raises a connection to TLS and verifies the server (spec §6).
 */

import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { TlsMode } from '../../../access/connection.ts';
import type { CertificateAndKey } from '../../client-certificate.ts';

export interface TlsWish {
  readonly mode: Exclude<TlsMode, 'disable'>;
  readonly host: string;
  /** PEM; null for those that this machine knows. */
  readonly ca: Buffer | null;
  readonly client: CertificateAndKey | null;
}

function verifies(mode: TlsMode): boolean {
  return mode === 'verify-ca' || mode === 'verify-full';
}

/** @throws if the handshake fails; its `code` is then HANDSHAKE_SSL_ERROR. */
export async function raiseToTls(socket: Duplex, wish: TlsWish, signal: AbortSignal): Promise<TLSSocket> {
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
  // Later errors come to who reads the stream; without a listener they would end the process.
  secured.on('error', () => {});
  try {
    await once(secured, 'secureConnect', { signal });
  } catch (error) {
    throw Object.assign(error as Error, { code: 'HANDSHAKE_SSL_ERROR' });
  }
  return secured;
}
