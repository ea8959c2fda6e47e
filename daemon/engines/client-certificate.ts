/**
 * The client certificate of a connection, read at each dial so a renewed one counts from then on.
 */

import { createPrivateKey } from 'node:crypto';
import type { Tls } from '../access/connection.ts';
import { DialError } from './dial-error.ts';
import { otherForm } from './not-pem.ts';
import { readPemFile } from './pem-file.ts';

export interface CertificateAndKey {
  /** PEM. */
  readonly cert: Buffer;
  readonly key: Buffer | string;
}

/**
 * @returns null if the connection has none. Rejects with an Error whose message is a clause;
 *   shells/dial-advice.ts adds what to do.
 */
export async function readClientCertificate(tls: Tls): Promise<CertificateAndKey | null> {
  if (tls.clientCertificate === undefined) return null;
  const { certificateFile, keyFile } = tls.clientCertificate;
  const { content: cert } = await readPemFile(certificateFile).catch(() => {
    throw new Error(`the client certificate ${certificateFile} could not be read`);
  });
  refuseOtherForm(cert, `the client certificate ${certificateFile}`);
  const key = await readKey(keyFile);
  refuseOtherForm(key, `the client key ${keyFile}`);
  // PEM marks it so, in PKCS #8 and in OpenSSL's older form.
  const isEncrypted = key.includes('ENCRYPTED');
  return { cert, key: isEncrypted ? opened(key, keyFile, (await tls.keyPassphrase?.()) ?? null) : key };
}

function refuseOtherForm(bytes: Buffer, file: string): void {
  const form = otherForm(bytes);
  if (form !== null) throw new Error(`${file} ${form}`);
}

/**
 * Refuses a key that others can read, as psql does: to the server, the holder of the key is this
 * user.
 */
async function readKey(keyFile: string): Promise<Buffer> {
  const { content, mode, uid } = await readPemFile(keyFile).catch(() => {
    throw new Error(`the client key ${keyFile} could not be read`);
  });
  // The group may read a key that root owns (libpq, "Client Certificates").
  const refused = uid === 0 && process.getuid?.() !== 0 ? 0o037 : 0o077;
  if ((mode & refused) !== 0)
    throw new DialError(`others may read the client key ${keyFile}`, 'client_key_open_to_others');
  return content;
}

function opened(key: Buffer, keyFile: string, passphrase: string | null): string {
  if (passphrase === null)
    throw new DialError(`the client key ${keyFile} has a passphrase, and none is kept`, 'client_key_passphrase');
  try {
    return createPrivateKey({ key, passphrase }).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new DialError(`the kept passphrase does not open the client key ${keyFile}`, 'client_key_passphrase');
  }
}
