/** Another install beside the built one: a copy, changed as a build of another age would be. */

import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../shared/version.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Difference {
  /** Below the build folder. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const anotherVersion = (to: string): Difference => ({
  file: 'shared/version.js',
  from: `version = '${version}'`,
  to: `version = '${to}'`,
});
export const anotherControlProtocol = (to: string): Difference => ({
  file: 'shared/control.js',
  from: "controlProtocolVersion = '1.0'",
  to: `controlProtocolVersion = '${to}'`,
});
export const olderEraOnly: Difference = {
  file: 'shared/codes.js',
  from: "['2026-07-28', '2025-11-25', '2025-06-18']",
  to: "['2025-11-25', '2025-06-18']",
};

/** @returns the folder its three commands stand in. @throws where the build has no such text to change. */
export function installBeside(folder: string, differences: readonly Difference[]): string {
  for (const room of ['bridge', 'daemon', 'shared', 'shell-terminal', 'bin']) {
    if (existsSync(join(root, 'build', room)))
      cpSync(join(root, 'build', room), join(folder, 'build', room), { recursive: true });
  }
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, from, to } of differences) {
    const path = join(folder, 'build', file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} in ${dirname(path)} has no ${from}.`);
    writeFileSync(path, text.replaceAll(from, to));
  }
  return join(folder, 'build', 'bin');
}
