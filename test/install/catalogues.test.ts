/**
 * What catalogues of software take: each names a release's files by their checksums, and none is
 * made of what is missing or leads elsewhere.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { root } from './installed.ts';

const platforms = ['linux-arm64', 'linux-x64', 'macos-arm64', 'macos-x64'];
const archives = platforms.map(platform => `sallyport-${version}-${platform}.tar.gz`);
const images = ['arm64', 'x86_64'].map(kind => `Sallyport-${version}-${kind}.dmg`);
const bundle = `sallyport-${version}.mcpb`;
const address = 'https://sallyport.app/releases';
const sumOf = (file: string) => createHash('sha256').update(file).digest('hex');

let release: string;
beforeEach(() => {
  release = mkdtempSync(join(tmpdir(), 'sallyport-release-'));
});
afterEach(() => rmSync(release, { recursive: true, force: true }));

function made(files: readonly string[], from = address, more = '') {
  mkdirSync(release, { recursive: true });
  writeFileSync(join(release, 'SHA256SUMS'), files.map(file => `${sumOf(file)}  ${file}\n`).join('') + more);
  const { status, stderr } = spawnSync(process.execPath, ['bridge/packaging/catalogues.mjs', release, from], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stderr };
}
const text = (file: string) => readFileSync(join(release, 'catalogues', file), 'utf8');

test('each platform’s archive stands in the formula with its own checksum, each app in the cask', () => {
  expect(made([...archives, ...images, bundle])).toEqual({ status: 0, stderr: '' });
  const formula = [...text('sallyport.rb').matchAll(/url "(.*)"\n\s*sha256 "(.*)"/g)].map(([, url, sum]) => [url, sum]);
  expect(formula.sort()).toEqual(archives.map(file => [`${address}/${file}`, sumOf(file)]));
  const places = text('sallyport.rb').match(/(?<=on_)\w+|(?<=\d-)\w+-\w+(?=\.tar)/g) ?? [];
  const within = ['arm', 'arm64', 'intel', 'x64'];
  expect(places).toEqual(
    ['macos', 'linux'].flatMap(system => [
      system,
      ...within.map(kind => (/64/.test(kind) ? `${system}-${kind}` : kind)),
    ]),
  );
  for (const image of images) expect(text('sallyport-app.rb')).toContain(`"${sumOf(image)}"`);
  const { packages } = JSON.parse(text('server.json'));
  expect(packages).toEqual([
    expect.objectContaining({ registryType: 'npm', version }),
    {
      registryType: 'mcpb',
      identifier: `${address}/${bundle}`,
      fileSha256: sumOf(bundle),
      transport: { type: 'stdio' },
    },
  ]);
});

test('a release without the app has no cask', () => {
  expect(made([...archives, bundle])).toMatchObject({ status: 0 });
  expect(readdirSync(join(release, 'catalogues')).sort()).toEqual(['sallyport.rb', 'server.json']);
});

test.each([
  ['a file without its sum', archives.slice(1), address, ''],
  ['no bundle', archives, address, ''],
  ['one app of two', [...archives, images[0] ?? '', bundle], address, ''],
  ['a line that is no sum', [...archives, bundle], address, 'sallyport.rb\n'],
  ['an address that isn’t https', [...archives, bundle], 'http://sallyport.app', ''],
  ['an address that would end a text of Ruby', [...archives, bundle], 'https://sallyport.app/"; system("id"); "', ''],
  ['an address that Ruby would compute', [...archives, bundle], 'https://sallyport.app/#{`id`}', ''],
])('%s is refused, and nothing is made', (_, files, from, more) => {
  const { status, stderr } = made(files, from, more);
  expect([status, stderr.split('\n').length]).toEqual([1, 2]);
  expect(readdirSync(release)).toEqual(['SHA256SUMS']);
});
