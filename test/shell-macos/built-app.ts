/**
 * Stand-ins for what `make app` builds on a Mac, and the bundle that is laid out from them. The
 * code and Node in it are the real ones.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPrograms, needs } from '../needs.ts';

export const project = fileURLToPath(new URL('../../', import.meta.url));
export const packaging = join(project, 'shell-macos/packaging');

/** For tests that read property lists, or that build the app, whose English Python makes. */
export const withPython = needs(missingPrograms(['python3'], 'apt-get install python3'));

export interface BuiltApp {
  readonly folder: string;
  readonly built: string;
  readonly app: string;
  end(): void;
}

/**
 * In build/, so that the code in the bundle finds the project's packages without a copy of a
 * thousand files.
 */
export function builtApp(): BuiltApp {
  const folder = mkdtempSync(join(project, 'build/app-'));
  const built = join(folder, 'built');
  mkdirSync(join(built, 'code/node_modules'), { recursive: true });
  // Links will do, as shell-macos/packaging/layout.sh copies what they lead to.
  mkdirSync(join(built, 'code/bundle'));
  for (const file of readdirSync(join(project, 'build/bundle')))
    linkSync(join(project, 'build/bundle', file), join(built, 'code/bundle', file));
  cpSync(join(project, 'package.json'), join(built, 'code/package.json'));
  writeFileSync(join(built, 'Sallyport.icns'), 'icns');
  writeFileSync(join(built, 'Node-LICENSE.txt'), 'Node.js is licensed for use as follows');
  // The app's texts, by the very lines that bring them into the real app.
  const lines = readFileSync(join(packaging, 'app.sh'), 'utf8').match(/^.*(?:\.lproj|--english) .*$/gm) ?? [];
  if (lines.length !== 2) throw new Error('app.sh brings no texts');
  const node = dirname(dirname(process.execPath));
  const places = { node, root: project, built: relative(project, built) };
  execFileSync('sh', ['-c', lines.join('\n')], { cwd: project, env: { PATH: process.env.PATH, ...places } });
  program(join(built, 'Sallyport'), 'echo app');
  program(join(built, 'sallyportd'), 'echo daemon "$@"');
  program(join(built, 'sallyport-mcp'), 'echo bridge');
  program(join(built, 'sallyport-keychain'), 'echo keychain');
  program(join(built, 'sallyport-node'), `exec '${process.execPath}' "$@"`);
  return {
    folder,
    built,
    app: join(folder, 'Sallyport.app'),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function program(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

export function layOut({ built, app }: BuiltApp, version = '1.2.3'): { code: number | null; said: string } {
  const { status, stderr } = spawnSync('sh', [join(packaging, 'layout.sh'), built, app, version], { encoding: 'utf8' });
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
