/**
 * Reads a file of certificates or keys that a connection names. Never a pipe or a device: opening
 * four pipes that nobody writes into would keep all of Node's threads for files.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Mozilla's whole list of authorities has 220 KB. */
const mostBytes = 4 * 1024 * 1024;

export interface PemFile {
  readonly content: Buffer;
  readonly mode: number;
  readonly uid: number;
}

/**
 * Node has four threads for files: those of a file system that never answers may keep two of them.
 */
const mostReads = 2;
const turnMilliseconds = 2_000;
let reads = 0;
const waiting = new Set<() => void>();

/**
 * Rejects also for what is no file, or too large for one of these, or if others keep it from being
 * opened.
 */
export function readPemFile(path: string): Promise<PemFile> {
  return inFileTurn(() => read(path));
}

export class FilesBusy extends Error {}

/** For all that looks at files a connection names. Rejects (FilesBusy) if no turn comes in time. */
export async function inFileTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  await turn();
  try {
    return await work();
  } finally {
    const [next] = waiting;
    if (next === undefined) reads -= 1;
    else next();
  }
}

/** Resolves once one more may be looked at. */
function turn(): Promise<void> {
  if (reads < mostReads) {
    reads += 1;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(go);
      reject(new FilesBusy('other files that connections name have not answered'));
    }, turnMilliseconds);
    const go = (): void => {
      clearTimeout(late);
      waiting.delete(go);
      resolve();
    };
    waiting.add(go);
  });
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
