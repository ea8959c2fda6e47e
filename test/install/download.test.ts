/**
 * bridge/packaging/install.sh: fetches the archive from a server or a folder, runs and places
 * nothing that its own checksum doesn't know.
 */

import { spawn } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { folderOf, missingPrograms } from '../missing-programs.ts';
import { needs } from '../needs.ts';
import { Place, root } from './installed.ts';

let place: Place;
/** What `make download` makes. */
let made: string;
let server: Server;
let cutAt: number | null = null;
let userHome: string;

beforeAll(async () => {
  place = new Place();
  made = join(place.copyOfProject(), '../made');
  const words = ['bridge/packaging/download.sh', 'build/executable', made];
  await place.run('sh', words, { cwd: root, env: { LEVEL: '1' } });
  server = createServer((request, response) => {
    const path = join(made, request.url ?? '');
    if (!existsSync(path)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': statSync(path).size });
    if (cutAt === null) createReadStream(path).pipe(response);
    else
      createReadStream(path, { end: cutAt })
        .on('end', () => response.destroy())
        .pipe(response, { end: false });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
}, 120_000);
afterAll(async () => {
  server?.close();
  await place?.clean();
});

let turn = 0;
beforeEach(() => {
  cutAt = null;
  turn += 1;
  // On the disk, beside the archive: an installation has 140 MB.
  userHome = join(made, `../user-${turn}`);
  mkdirSync(userHome);
});

const archive = () => readdirSync(made).find(name => name.endsWith('.tar.gz')) ?? '';
const served = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A machine with these programs and no others. */
function only(names: readonly string[]): string {
  const bin = join(userHome, '../', `bin-${turn}`);
  mkdirSync(bin);
  for (const name of names) {
    const folder = folderOf([name]);
    if (folder !== null) symlinkSync(join(folder, name), join(bin, name));
  }
  return bin;
}
const basics = [
  'sh',
  'uname',
  'sed',
  'mktemp',
  'rm',
  'cp',
  'mkdir',
  'mv',
  'ln',
  'tar',
  'gzip',
  'cut',
  'sha256sum',
  'shasum',
];
const more = ['cat', 'chmod', 'dirname', 'readlink', 'ps', 'awk', 'grep', 'fold', 'id'];

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

function installed(
  from: string | undefined,
  environment: object = {},
  script = join(made, 'install.sh'),
): Promise<Ended> {
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: userHome,
    ...(from === undefined ? {} : { SALLYPORT_FROM: from }),
    ...environment,
  };
  const child = spawn('/bin/sh', [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += text));
  return new Promise(resolve => child.on('close', code => resolve({ code, said })));
}

/** Nothing was placed, and nothing is left of the try. */
const nothing = () => expect(readdirSync(userHome)).toEqual([]);

needs(missingPrograms(['curl'], 'sh test/install/installers.sh')).test(
  'from a server: checked, placed for one user, and it says what comes next',
  async () => {
    const { code, said } = await installed(served());
    expect(said).toBe(
      `Fetching ${served()}/${archive()}
Sallyport is installed in ${userHome}/.local.
${userHome}/.local/bin is not in your PATH. Until your next login, or for good in your shell's profile:
  export PATH="${userHome}/.local/bin:$PATH"
Next: sallyport setup
`,
    );
    expect(code).toBe(0);
    expect(readdirSync(userHome)).toEqual(['.local']);
    const sallyport = join(userHome, '.local/bin/sallyport');
    expect(await place.run(sallyport, ['--version'])).toBe(`sallyport ${version}\n`);
    const removed = await place.run(sallyport, ['uninstall'], { env: { HOME: userHome } });
    expect(removed).toContain(`Removed ${userHome}/.local/lib/sallyport and its commands in ${userHome}/.local/bin.\n`);
    nothing();
  },
  120_000,
);

needs(missingPrograms(['wget'], 'sh test/install/installers.sh')).test(
  'with wget where there is no curl, and from a server that ends early',
  async () => {
    const PATH = only([...basics, ...more, 'wget']);
    cutAt = 1_000_000;
    expect(await installed(served(), { PATH })).toMatchObject({
      code: 1,
      said: expect.stringContaining('could not be fetched whole; nothing was changed'),
    });
    nothing();
    cutAt = null;
    expect(await installed(`${served()}/`, { PATH })).toMatchObject({ code: 0 });
    expect(existsSync(join(userHome, '.local/bin/sallyport'))).toBe(true);
  },
  120_000,
);

test('an archive that isn’t the one it was made for is neither run nor placed', async () => {
  const elsewhere = join(userHome, '../elsewhere');
  mkdirSync(elsewhere);
  const other = join(elsewhere, archive());
  writeFileSync(other, readFileSync(join(made, archive())));
  truncateSync(other, 1_000_000);
  const { code, said } = await installed(`file://${elsewhere}`);
  expect({ code, said }).toEqual({
    code: 1,
    said: `Fetching file://${elsewhere}/${archive()}\ninstall.sh: file://${elsewhere}/${archive()} isn't the archive that this file was made for (its SHA-256 is another); nothing was changed. Fetch it again, from its publisher.\n`,
  });
  nothing();
});

test('half of install.sh does nothing', async () => {
  const half = join(made, '../half.sh');
  const text = readFileSync(join(made, 'install.sh'), 'utf8');
  writeFileSync(half, text.slice(0, text.lastIndexOf('main')));
  expect(await installed(`file://${made}`, {}, half)).toEqual({ code: 0, said: '' });
  nothing();
});

test('without a place to fetch from, with sudo, or with another kind of address it says so', async () => {
  for (const [from, environment, words] of [
    [undefined, {}, 'name the folder of the archive'],
    [served(), { SUDO_USER: 'ada' }, 'type it without sudo'],
    ['ftp://example.com', {}, 'SALLYPORT_FROM must begin with https://, http:// or file:///, not ftp://example.com.'],
    [served(), { PATH: only(basics) }, 'neither curl nor wget is installed'],
  ] as const)
    expect(await installed(from, environment)).toMatchObject({ code: 1, said: expect.stringContaining(words) });
  nothing();
});
