/**
 * Checks whether this version can open the home's database (spec §1). Reads its header as bytes,
 * because opening it would leave files beside it.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { storeVersion } from '../../shared/store-record.ts';
import { type Check, ok, problem } from './check.ts';

/** Position of `user_version` in SQLite's file format (sqlite.org/fileformat2.html, 1.3). */
const versionOffset = 60;
const headerBytes = 100;
const magic = 'SQLite format 3\0';

export function checkStore(path: string): Check[] {
  const header = Buffer.alloc(headerBytes);
  let length: number;
  try {
    length = headerOf(path, header);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    return [problem('store', `${path} can't be read (${code}).`, 'make it a file of yours with mode 600')];
  }
  // It may be empty until the first start is done.
  if (length === 0) return [];
  if (length < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
    return [problem('store', `${path} is not a database, or is damaged.`, 'restore it from a backup')];
  const version = header.readUInt32BE(versionOffset);
  // In a store that was not closed it may be in the write-ahead log alone.
  if (version !== storeVersion && version !== 0) {
    const says = `${path} is a store of another version of Sallyport (store version ${version}, this one knows ${storeVersion}).`;
    return [problem('store', says, 'use that Sallyport, or move the home away to begin anew')];
  }
  return [ok('store', `${path} has a version that this Sallyport knows.`)];
}

function headerOf(path: string, into: Buffer): number {
  const file = openSync(path, 'r');
  try {
    return readSync(file, into, 0, into.length, 0);
  } finally {
    closeSync(file);
  }
}
