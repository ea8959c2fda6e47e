/**
 * `make release` in a copy of the project under version control: what it makes, changes and
 * refuses.
 */

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../needs.ts';
import { Place, root } from './installed.ts';

const version = '7.8.9';
const left = new Set(['.git', 'node_modules', 'coverage', 'release', 'executable', 'rivals', 'test-servers']);
const files = ['SHA256SUMS', `sallyport-${version}.cdx.json`, `sallyport-${version}.mcpb`, `sallyport-${version}.tgz`];

// It makes the MCP bundle, a zip.
const released = needs(missingPrograms(['python3'], 'apt-get install python3'));

let place: Place;
let project: string;
let formerChangelog: string;
const text = (path: string): string => readFileSync(join(project, path), 'utf8');
const run = (file: string, ...words: string[]): Promise<string> => place.run(file, words, { cwd: project });
const git = (...words: string[]) => run('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words);
// The compiler is written in Go and spends a third of its time freeing memory.
const release = (version: string) =>
  place.run('make', ['release', `VERSION=${version}`], { cwd: project, env: { GOGC: 'off' } });

beforeAll(async () => {
  place = new Place();
  project = join(place.folder, 'project');
  cpSync(root, project, {
    recursive: true,
    preserveTimestamps: true,
    // Other suites make and remove packages meanwhile.
    filter: path => !left.has(basename(path)) && !/^\.build|\.tgz$/.test(basename(path)),
  });
  // A folder of links, so an installation there wouldn't change the packages here.
  mkdirSync(join(project, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.installed') symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'node_modules', '.installed'), '');
  writeFileSync(join(project, 'build/bundle/of-a-source-that-is-gone.js'), '');
  formerChangelog = text('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Something new.\n');
  writeFileSync(join(project, 'CHANGELOG.md'), formerChangelog);
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=Before');
}, 60_000);
afterAll(() => place.clean());

test.each([
  ['', 'VERSION must be three numbers'],
  ['v1.0.0', 'VERSION must be three numbers'],
  ['1.0', 'VERSION must be three numbers'],
  ['1.0.0-beta.1', 'VERSION must be three numbers'],
  ['0.0.9', '0.0.9 is older than'],
])('%j is refused, and nothing changes', async (given, sentence) => {
  await expect(release(given)).rejects.toMatchObject({ stderr: expect.stringContaining(sentence) });
  expect(await git('status', '--porcelain')).toBe('');
});

test('a tree with changes is refused, with their names', async () => {
  writeFileSync(join(project, 'notes'), '');
  await expect(release(version)).rejects.toMatchObject({ stderr: expect.stringContaining('?? notes') });
  await run('rm', 'notes');
});

test('if it fails on the way, nothing stays changed', async () => {
  // Without a file to compile, the compiler fails at once.
  writeFileSync(join(project, 'tsconfig.build.json'), '{ "files": [] }');
  await git('commit', '--quiet', '--all', '--message=Broken');
  await expect(release(version)).rejects.toMatchObject({ code: 2 });
  expect(await git('status', '--porcelain')).toBe('');
  await git('reset', '--quiet', '--hard', 'HEAD~');
  // Else the installed packages would look older than package.json and be installed again.
  expect(await run('make', '--question', 'node_modules/.installed')).toBe('');
}, 60_000);

released.test(
  'it makes the files and changes the version everywhere; a second time it refuses',
  async () => {
    const said = await release(version);
    expect(said).toContain(`git tag v${version}`);
    expect(readdirSync(join(project, 'build/release')).sort()).toEqual(files);
    expect((await git('status', '--porcelain')).split('\n').sort().filter(Boolean)).toEqual(
      [
        'CHANGELOG.md',
        'bridge/packaging/manifest.json',
        'bridge/packaging/server.json',
        'package-lock.json',
        'package.json',
        'shared/version.ts',
      ].map(file => ` M ${file}`),
    );
    expect(await git('log', '--format=%s')).toBe('Before\n');
    const [before = '', after = ''] = formerChangelog.split('## Unreleased\n');
    const today = new Date().toISOString().slice(0, 10);
    expect(text('CHANGELOG.md')).toBe(`${before}## Unreleased\n\n## ${version} (${today})\n${after}`);

    await expect(release(version)).rejects.toMatchObject({ stderr: expect.stringContaining(' M CHANGELOG.md') });
    await git('commit', '--quiet', '--all', '--message=Released');
    await expect(release(version)).rejects.toMatchObject({
      stderr: expect.stringContaining(`CHANGELOG.md has ${version} already`),
    });
    await expect(release('7.9.0')).rejects.toMatchObject({
      stderr: expect.stringContaining('nothing under Unreleased'),
    });
    expect(await git('status', '--porcelain')).toBe('');
  },
  240_000,
);

released.test('the checksums are those of the files', async () => {
  const sums = text('build/release/SHA256SUMS');
  expect(sums.match(/ sallyport-.*$/gm)?.map(name => name.trim())).toEqual(files.slice(1));
  const check = 'sha256sum -c SHA256SUMS 2>/dev/null || shasum -a 256 -c SHA256SUMS';
  const { length } = (await run('sh', '-c', `cd build/release && { ${check}; }`)).match(/: OK$/gm) ?? [];
  expect(length).toBe(3);
});

released.test('the package runs as the new version and holds nothing of a removed source', async () => {
  const unpacked = join(place.folder, 'unpacked');
  mkdirSync(unpacked);
  await run('tar', '-xzf', `build/release/sallyport-${version}.tgz`, '-C', unpacked);
  symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  for (const command of ['sallyport', 'sallyportd', 'sallyport-mcp']) {
    const path = join(unpacked, 'package/build/npm', command);
    expect(await run(process.execPath, path, '--version')).toBe(`${command} ${version}\n`);
  }
  expect(readdirSync(join(unpacked, 'package/build/bundle'))).not.toContain('of-a-source-that-is-gone.js');
});

released.test('the bundle has the new version, and is always the same', async () => {
  const made = `build/release/sallyport-${version}.mcpb`;
  const manifest = await run(
    'python3',
    '-c',
    `import zipfile; print(zipfile.ZipFile('${made}').read('manifest.json').decode())`,
  );
  expect(JSON.parse(manifest)).toMatchObject({ version });
  await run(
    'sh',
    '-c',
    'umask 077; touch LICENSE; sh bridge/packaging/mcpb.sh build/bundle/sallyport-mcp.cjs build/again.mcpb',
  );
  expect(readFileSync(join(project, 'build/again.mcpb')).equals(readFileSync(join(project, made)))).toBe(true);
});

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

released.test('the bill of materials names each included package, and none for development', async () => {
  const bill = JSON.parse(text(`build/release/sallyport-${version}.cdx.json`));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(bill.metadata.component).toMatchObject({ name: 'sallyport', version, purl: `pkg:npm/sallyport@${version}` });
  const components: Component[] = bill.components;
  for (const component of components) expect(component).toMatchObject({ type: 'library', version: expect.any(String) });
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  expect(new Set(components.map(component => component['bom-ref'])).size).toBe(components.length);

  const { dependencies, optionalDependencies } = JSON.parse(text('package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    expect(named).toContain(`${name}@${version}`);
  }
  // The packages that each of them needs are listed too, in the locked version. A bundled package is listed itself, and may need one that was
  // left out of the bundle.
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(text('package-lock.json'));
  const names = new Set(components.map(({ name }) => name));
  const locked = Object.entries(packages).map(([path, found]) => ({
    ...found,
    name: path.split('node_modules/').at(-1) ?? '',
  }));
  const isBundled = ({ properties = [] }: Component): boolean =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:bundled' && value === 'true');
  for (const component of components) {
    const { name, version } = component;
    const same = locked.filter(found => found.name === name && found.version === version);
    expect([name, same.length > 0]).toEqual([name, true]);
    if (isBundled(component)) continue;
    for (const needed of same.flatMap(({ dependencies = {} }) => Object.keys(dependencies)))
      expect(names).toContain(needed);
  }
  const bundle = text('build/bundle/sallyportd.cjs').matchAll(/^\/\/ \S*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm);
  const inBundle = [...new Set([...bundle].map(([, name = '']) => name))];
  expect(inBundle).toEqual(expect.arrayContaining(['hono', 'knex', 'zod']));
  expect(inBundle.filter(name => !names.has(name))).toEqual([]);
  const shipped = new Set([
    ...locked.filter(({ dev }) => dev !== true).map(({ name }) => name),
    ...components.filter(isBundled).map(({ name }) => name),
  ]);
  const development = locked.filter(({ name }) => !shipped.has(name)).map(({ name }) => name);
  expect(development).toEqual(
    expect.arrayContaining(['jest', 'typescript', 'esbuild', '@modelcontextprotocol/client']),
  );
  expect(development.filter(name => names.has(name))).toEqual([]);

  // The same commit gives the same text: the release's files on the commit that it was made from.
  await git('reset', '--quiet', '--soft', 'HEAD~');
  const again = await run(process.execPath, 'bridge/packaging/sbom.mjs');
  expect(again).toBe(text(`build/release/sallyport-${version}.cdx.json`));
});

interface Locked {
  readonly version: string;
  readonly dev?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
}
