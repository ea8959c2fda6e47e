/**
 * Stand-ins for what `make app` builds on a Mac, and the bundle that is laid out from them: with the
 * real executable in it where a test runs that.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPrograms, needs } from '../needs.ts';

export const project = fileURLToPath(new URL('../../', import.meta.url));
export const packaging = join(project, 'shell-macos/packaging');

/** For tests that read property lists, or that build the app, whose texts Python lays out. */
export const withPython = needs(missingPrograms(['python3'], 'apt-get install python3'));

export interface BuiltApp {
  readonly folder: string;
  readonly built: string;
  /** As bridge/packaging/executable.sh fills it. */
  readonly executable: string;
  readonly app: string;
  end(): void;
}

/** In build/, where there is room for an executable of 130 MB. */
export function builtApp(which: 'stand-in' | 'real' = 'stand-in'): BuiltApp {
  const folder = mkdtempSync(join(project, 'build/app-'));
  const built = join(folder, 'built');
  const executable = which === 'real' ? join(project, 'build/executable') : standIn(join(folder, 'executable'));
  mkdirSync(built);
  writeFileSync(join(built, 'Sallyport.icns'), 'icns');
  // The app's texts, by the very lines that bring them into the real app.
  const lines = readFileSync(join(packaging, 'app.sh'), 'utf8').match(/^.*(?:\.lproj|--tables) .*$/gm) ?? [];
  if (lines.length !== 2) throw new Error('app.sh brings no texts');
  const places = { root: project, built: relative(project, built) };
  execFileSync('sh', ['-c', lines.join('\n')], { cwd: project, env: { PATH: process.env.PATH, ...places } });
  program(join(built, 'Sallyport'), 'echo app');
  program(join(built, 'sallyport-keychain'), 'echo keychain');
  return {
    folder,
    built,
    executable,
    app: join(folder, 'Sallyport.app'),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Its files alone: the program tells by which name it was called. */
export function standIn(executable: string): string {
  program(join(executable, 'bin/sallyport'), 'echo "$(basename "$0") $*"');
  writeFileSync(join(executable, 'bin/keyring.node'), 'machine code');
  writeFileSync(join(executable, 'Node-LICENSE.txt'), 'Node.js is licensed for use as follows');
  for (const name of ['THIRD-PARTY-NOTICES.txt', 'keyring-LICENSE.txt']) writeFileSync(join(executable, name), name);
  return executable;
}

export function program(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

export function layOut(stage: BuiltApp, version = '1.2.3'): { code: number | null; said: string } {
  const words = [join(packaging, 'layout.sh'), stage.built, stage.executable, stage.app, version];
  const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8' });
  return { code: status, said: stderr };
}

/** Paths of the files below `folder`, without the folders. */
export function filesIn(folder: string): string[] {
  return execFileSync('find', ['.', '!', '-type', 'd'], { cwd: folder, encoding: 'utf8' })
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.slice(2))
    .sort();
}
