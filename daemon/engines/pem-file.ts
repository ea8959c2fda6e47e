/**
 * Reads a file of certificates or keys that a connection names. Never a pipe or a device: opening
 * four pipes that nobody writes into would keep all of Node's threads for files.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { inDialTurn } from '../file-turns.ts';

/** Mozilla's whole list of authorities has 220 KB. */
const mostBytes = 4 * 1024 * 1024;

export interface PemFile {
  readonly content: Buffer;
  readonly mode: number;
  readonly uid: number;
}

/**
 * Rejects also for what is no file, or too large for one of these, or if others keep it from being
 * opened.
 */
export function readPemFile(path: string, inTurn = inDialTurn): Promise<PemFile> {
  return inTurn(() => read(path));
}

async function read(path: string): Promise<PemFile> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    const { size, mode, uid } = found;
    if (!found.isFile() || size > mostBytes) throw new Error('it is no such file');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return { content: buffer.subarray(0, bytesRead), mode, uid };
  } finally {
    await file.close();
  }
}
