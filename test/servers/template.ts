/**
 * Data folders as a server's own installer makes them, made once and copied for each private
 * server: an installer takes one to three seconds, a copy a fraction of one. They are in build/,
 * which `make clean` removes.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const templates = join(import.meta.dirname, '..', '..', 'build', 'test-servers');

/**
 * Fills `folder`, which doesn't exist yet: with a copy, or the first time by `install`.
 * @param name distinguishes templates: program, its mark, account.
 */
export async function fromTemplate(name: string, folder: string, install: () => Promise<unknown>): Promise<void> {
  const template = join(templates, name);
  if (existsSync(template)) return copy(template, folder);
  await install();
  mkdirSync(templates, { recursive: true });
  // Several workers may be first at the same time; a rename is all or nothing.
  const made = `${template}.${process.pid}`;
  copy(folder, made);
  try {
    renameSync(made, template);
  } catch {
    rmSync(made, { recursive: true, force: true });
  }
}

/**
 * Distinguishes versions of a program by its file's time and size; asking for its version would
 * start it once per server.
 */
export function programMark(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${Math.floor(mtimeMs)}-${size}`;
}

/** `cp` keeps owners and the holes of sparse files; Node's own copy doesn't. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
