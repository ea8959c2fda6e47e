/**
 * Starts TLS on a new socket as the connection's mode asks, or says why not. Never falls back after
 * a failed handshake.
 */

import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from 'node:tls';
import type { Tls } from '../../../access/connection.ts';
import { type LineKind, provesServer } from '../../../access/server-identity.ts';
import { readAuthority } from '../../certificate-authority.ts';
import { readClientCertificate } from '../../client-certificate.ts';
import { DialError, dialProblemOf } from '../../dial-error.ts';
import { tlsReason, tlsWords } from '../../tls-reason.ts';

/** A reason to give up, for people; a clause without a full stop. */
export class DialRefused extends DialError {
  /** `full`: the servers have no session free. `unanswered`: the line was closed, or silent. */
  readonly isFor: 'full' | 'unanswered' | null;

  constructor(message: string, isFor: DialRefused['isFor'] = null, problem: DialError['problem'] = null) {
    super(message, problem);
    this.isFor = isFor;
  }
}

export interface EncryptedSocket {
  readonly socket: Socket | TLSSocket;
  /** `verified`: the chain was, with a CA of ours; with `verify-full` the name was, too. */
  readonly kind: LineKind;
  /** uid of the socket file's owner; null for TCP. */
  readonly socketOwner: number | null;
}

/** SSLRequest (PostgreSQL manual, 55.2.10): length 8, then the number in place of a version. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** @param host as the connection names it; the certificate must be for it */
export async function encrypt(socket: Socket, host: string, tls: Tls): Promise<EncryptedSocket> {
  const clear: EncryptedSocket = { socket, kind: 'clear', socketOwner: null };
  if (tls.mode === 'disable') return clear;
  const options = await tlsOptions(socket, host, tls);
  const answer = await askForTls(socket);
  if (answer === 'S') {
    const kind = provesServer(tls) ? 'verified' : 'tls';
    return { socket: await handshake(options), kind, socketOwner: null };
  }
  if (answer === 'N' && tls.mode === 'prefer') return clear;
  if (answer === 'N')
    throw new DialRefused(`the server has no TLS, and the connection asks for TLS mode ${tls.mode}`, null, 'no_tls');
  throw new DialRefused('the server did not answer the request for TLS as PostgreSQL does', null, 'tls_failed');
}

async function tlsOptions(socket: Socket, host: string, tls: Tls): Promise<ConnectionOptions> {
  const ca = await orRefused(readAuthority(tls));
  const client = await orRefused(readClientCertificate(tls));
  return {
    socket,
    rejectUnauthorized: tls.mode === 'verify-ca' || tls.mode === 'verify-full',
    // Without SNI, as with an IP address, Node would check a name of its own choosing.
    checkServerIdentity: (_name, certificate) =>
      tls.mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
    ...(ca === null ? {} : { ca }),
    ...(client ?? {}),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
}

/** The reader of a file words its failure. */
async function orRefused<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'a file of the connection could not be read';
    throw new DialRefused(message, null, dialProblemOf(error));
  }
}

async function askForTls(socket: Socket): Promise<string> {
  // It was given up while the CA file was read: no event comes any more.
  if (socket.destroyed) throw new DialRefused('given up');
  socket.write(sslRequest);
  // Also readable at its end, with nothing to read.
  await once(socket, 'readable');
  const answer: unknown = socket.read();
  if (!Buffer.isBuffer(answer))
    throw new DialRefused('the server closed the connection when asked for TLS', 'unanswered', 'tls_failed');
  // Bytes behind the answer came before the handshake: somebody on the way put them there
  // (CVE-2021-23222).
  if (answer.length === 1) return answer.toString('latin1');
  throw new DialRefused('the server did not answer the request for TLS as PostgreSQL does', null, 'tls_failed');
}

function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connect(options);
    const failed = (error: Error) => {
      secure.destroy();
      const { why, problem } = tlsReason(error.message);
      reject(new DialRefused(`TLS failed (${tlsWords(error.message)})${why}`, null, problem));
    };
    const closed = () => failed(new Error('the server closed the connection during the handshake'));
    secure.once('error', failed).once('close', closed);
    secure.once('secureConnect', () => {
      secure.off('error', failed).off('close', closed);
      resolve(secure);
    });
  });
}
