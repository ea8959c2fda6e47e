/** A password as PostgreSQL keeps it, computed here, so that neither the server's log nor its statistics ever see the password. */

import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** PostgreSQL's own number (`scram_iterations`, RFC 7677 §4). */
const iterations = 4_096;

/** RFC 5803, as PostgreSQL writes it. @param password of ASCII, which SASLprep leaves as it is. @param salt 16 bytes */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
