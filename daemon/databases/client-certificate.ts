/** The certificate that a connection shows its server, read when it dials, so that a renewed one is used from then on. */

import { open, readFile } from 'node:fs/promises';
import type { ClientCertificate } from '../../shared/control-commands.ts';

export interface CertificateAndKey {
  /** PEM. */
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** @returns null where the connection has none. Rejects with an Error whose message is a clause that says what to do. */
export async function readClientCertificate(files: ClientCertificate | undefined): Promise<CertificateAndKey | null> {
  if (files === undefined) return null;
  const { certificateFile, keyFile } = files;
  const cert = await readFile(certificateFile).catch(() => {
    throw new Error(`the client certificate ${certificateFile} could not be read`);
  });
  return { cert, key: await readKey(keyFile) };
}

/** As psql does, refuses what others may read: whoever holds the key is this user to the server. */
async function readKey(keyFile: string): Promise<Buffer> {
  const file = await open(keyFile).catch(() => {
    throw new Error(`the client key ${keyFile} could not be read`);
  });
  try {
    const { mode, uid } = await file.stat();
    // A system's own key may be read by its group (libpq, "Client Certificates").
    const refused = uid === 0 && process.getuid?.() !== 0 ? 0o037 : 0o077;
    if ((mode & refused) !== 0)
      throw new Error(`others may read the client key ${keyFile}: run \`chmod 600\` on it, then try again`);
    const key = await file.readFile();
    if (/ENCRYPTED/.test(key.toString('latin1')))
      throw new Error(
        `the client key ${keyFile} has a passphrase, which Sallyport can't ask for: name a copy without one, made by \`openssl pkey\``,
      );
    return key;
  } finally {
    await file.close();
  }
}
