/** Writes and removes the handshake file (spec §2); its form is shared/handshake.ts. */

import { rmSync } from 'node:fs';
import { type Handshake, readHandshake } from '../../shared/handshake.ts';
import { replacePrivateFileSync } from './atomic-file.ts';

export function writeHandshake(path: string, handshake: Handshake): void {
  replacePrivateFileSync(path, `${JSON.stringify(handshake)}\n`);
}

/** Only by the run that wrote it: another daemon's handshake is not ours to take away. */
export function removeHandshake(path: string, instance: string): void {
  const read = readHandshake(path);
  if (read.kind === 'read' && read.handshake.instance === instance) rmSync(path, { force: true });
}
