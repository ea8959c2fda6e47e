/** Another install beside the built one: a copy, changed as a build of another version would be. */

import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlProtocolVersion } from '../../shared/control.ts';
import { version } from '../../shared/version.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Difference {
  readonly from: string;
  readonly to: string;
}

export const anotherVersion = (to: string): Difference => ({
  from: `version = "${version}"`,
  to: `version = "${to}"`,
});
export const anotherControlProtocol = (to: string): Difference => ({
  from: `controlProtocolVersion = "${controlProtocolVersion}"`,
  to: `controlProtocolVersion = "${to}"`,
});
export const olderEraOnly: Difference = {
  from: '["2026-07-28", "2025-11-25", "2025-06-18"]',
  to: '["2025-11-25", "2025-06-18"]',
};

/**
 * Installs the copy; its bridge is the built one.
 * @returns the folder of its three commands.
 * @throws if no bundle contains such a text.
 */
export function installBeside(folder: string, differences: readonly Difference[]): string {
  for (const part of ['bundle', 'bin']) {
    cpSync(join(root, 'build', part), join(folder, 'build', part), { recursive: true });
  }
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bundles = join(folder, 'build', 'bundle');
  for (const { from, to } of differences) {
    const holders = readdirSync(bundles).filter(
      name => /\.c?js$/.test(name) && readFileSync(join(bundles, name), 'utf8').includes(from),
    );
    if (holders.length === 0) throw new Error(`No bundle has ${from}.`);
    for (const name of holders) {
      const text = readFileSync(join(bundles, name), 'utf8');
      writeFileSync(join(bundles, name), text.replaceAll(from, to));
      // V8's compiled copy has the former text.
      rmSync(join(bundles, name.replace(/\.c?js$/, '.compiled')), { force: true });
    }
  }
  return join(folder, 'build', 'bin');
}
