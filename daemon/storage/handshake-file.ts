/** Writes and removes the handshake file (spec §2); shared/handshake.ts has its form. */

import { rmSync } from 'node:fs';
import { type Handshake, readHandshake } from '../../shared/handshake.ts';
import { replacePrivateFileSync } from './atomic-file.ts';

export function writeHandshake(path: string, handshake: Handshake): void {
  replacePrivateFileSync(path, `${JSON.stringify(handshake)}\n`);
}

/** Removes it only for the run that wrote it, never another daemon's. */
export function removeHandshake(path: string, instance: string): void {
  const read = readHandshake(path);
  if (read.kind === 'read' && read.handshake.instance === instance) rmSync(path, { force: true });
}
