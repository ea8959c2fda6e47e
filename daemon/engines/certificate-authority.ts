/**
 * Reads the CA file that a server is verified with, at each dial. If the file holds something else
 * than certificates, the error names what.
 */

import { readFile } from 'node:fs/promises';
import { otherForm } from './not-pem.ts';

/** @returns PEM. Rejects with an Error whose message is a clause. */
export async function readAuthority(caFile: string): Promise<Buffer> {
  const text = await readFile(caFile).catch(() => {
    throw new Error(`the CA file ${caFile} could not be read`);
  });
  const problem = problemOf(text);
  if (problem !== null) throw new Error(`the CA file ${caFile} ${problem}`);
  return text;
}

function problemOf(text: Buffer): string | null {
  if (text.includes('-----BEGIN CERTIFICATE-----') || text.includes('-----BEGIN TRUSTED CERTIFICATE-----')) return null;
  if (text.toString('latin1').trim() === '') return 'is empty';
  if (text.includes('PRIVATE KEY-----')) return 'holds a private key where a certificate is expected';
  return otherForm(text) ?? 'holds no certificate in PEM';
}
