/**
 * The first file of each command: with a Node that is too old it prints a sentence, and it is found
 * in any folder.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { Place, root, shell } from './installed.ts';
import { needsOlderNode, olderNode } from './older-node.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.clean());

const ran = (file: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8', env: shell });
  return { status, stdout, stderr };
};

needsOlderNode.test(
  'a Node that is too old is reported, for each command as built and as packaged',
  () => {
    const node = olderNode();
    const found = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    const files = ['bin', 'npm'].flatMap(folder =>
      ['sallyport', 'sallyportd', 'sallyport-mcp'].map(name => `${folder}/${name}`),
    );
    for (const file of [...files, 'bundle/sallyport.js', 'bundle/sallyportd.js'])
      expect([file, ran(node, join(root, 'build', file), '--version')]).toEqual([
        file,
        {
          status: 1,
          stdout: '',
          stderr: `Sallyport needs Node 24.15 or newer, and ${node} is Node ${found}: install a newer one.\n`,
        },
      ]);
  },
  60_000,
);

test('it requires what package.json promises', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = readFileSync(join(root, 'bridge/packaging/needed-node.cjs'), 'utf8');
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
  expect(needed).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  expect(needed).toContain(`Node ${major}.${minor} or newer`);
});

test('it comes before everything that loads another file', () => {
  for (const file of ['bin/sallyport', 'bin/sallyportd', 'bin/sallyport-mcp', 'npm/sallyport', 'npm/sallyportd']) {
    const text = readFileSync(join(root, 'build', file), 'utf8');
    expect(text).toContain('process.exit(1)');
    expect(text.indexOf('require(')).toBeGreaterThan(text.indexOf('process.exit(1)'));
  }
});

test.each(['short', "with a space and it's", `long-${'x'.repeat(120)}`])(
  'the Node in a folder named %s is found, with its debugger shut',
  name => {
    const folder = join(place.folder, name);
    mkdirSync(join(folder, 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'node'));
    cpSync(join(root, 'build/bundle'), join(folder, 'bundle'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'bin/package.json'), '{ "type": "commonjs" }');
    for (const command of ['sallyport', 'sallyportd', 'sallyport-mcp']) {
      const words = [join(root, 'bridge/packaging/first-file.sh'), join(folder, 'node'), command];
      const file = join(folder, 'bin', command);
      writeFileSync(file, execFileSync('sh', words, { encoding: 'utf8' }));
      chmodSync(file, 0o755);
      expect(ran(file, '--version')).toEqual({ status: 0, stdout: `${command} ${version}\n`, stderr: '' });
      expect(readFileSync(file, 'utf8').split('\n', 2).join(' ')).toMatch(/ --inspect-port=\S+( |$)/);
    }
  },
);
