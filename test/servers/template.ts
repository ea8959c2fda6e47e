/**
 * Data folders as a server's own installer leaves them, made once and copied for each private
 * server: an installer takes one to three seconds, a copy a fraction of one. They stand in build/,
 * which `make clean` removes.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const templates = join(import.meta.dirname, '..', '..', 'build', 'test-servers');

/**
 * Fills `folder`, which is not there yet: with a copy, or the first time by `install`.
 * @param name tells templates apart: program, its mark, account.
 */
export async function fromTemplate(name: string, folder: string, install: () => Promise<unknown>): Promise<void> {
  const template = join(templates, name);
  if (existsSync(template)) return copy(template, folder);
  await install();
  mkdirSync(templates, { recursive: true });
  // Several workers may be the first at once; a rename is all or nothing.
  const made = `${template}.${process.pid}`;
  copy(folder, made);
  try {
    renameSync(made, template);
  } catch {
    rmSync(made, { recursive: true, force: true });
  }
}

/**
 * Tells versions of a program apart by its file's time and size; to ask for its version would start
 * it once for each server.
 */
export function programMark(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${Math.floor(mtimeMs)}-${size}`;
}

/** `cp` keeps owners and the holes of sparse files; Node's own copy doesn't. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
