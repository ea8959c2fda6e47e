/**
 * The image of `make image`, unpacked and run as its configuration says, in bubblewrap. Its Debian
 * is the few programs of this machine that Sallyport starts: a whole one takes minutes.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { missingPrograms, needs } from '../needs.ts';
import { Place, root } from './installed.ts';

/** What an engine reads to run it (OCI image specification, "Image Configuration"). */
interface Configuration {
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly WorkingDir: string;
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

const missing = missingPrograms(['bwrap', 'setpriv', 'ssh', 'tar'], 'sh test/install/boxes.sh as root');
const needed = needs(process.getuid?.() !== 0 ? 'run as root' : missing);

needed.describe('the image', () => {
  let place: Place;
  let layout: string;
  let rootFolder: string;
  let configuration: Configuration;
  const volume = '/var/lib/sallyport';
  const read = (file: string) => JSON.parse(readFileSync(join(layout, file), 'utf8'));
  const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

  /** What a layout says of a blob is what it is. */
  function blob({ digest, size }: Descriptor): Buffer {
    const bytes = readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    expect([digestOf(bytes), bytes.length]).toEqual([digest, size]);
    return bytes;
  }

  beforeAll(() => {
    place = new Place();
    const image = join(place.folder, 'image.tar');
    execFileSync('sh', ['bridge/packaging/image.sh', image, smallRoot()], {
      cwd: root,
      env: { ...process.env, LEVEL: '1' },
    });
    layout = join(place.folder, 'layout');
    rootFolder = join(place.folder, 'root');
    for (const folder of [layout, rootFolder]) mkdirSync(folder);
    execFileSync('tar', ['-xf', image, '-C', layout]);
    const manifest = JSON.parse(blob(read('index.json').manifests[0]).toString());
    configuration = JSON.parse(blob(manifest.config).toString());
    for (const layer of manifest.layers) {
      const unpacked = execFileSync('gzip', ['-dc'], { input: blob(layer), maxBuffer: 2 ** 30 });
      expect(configuration.rootfs.diff_ids).toContain(digestOf(unpacked));
      execFileSync('tar', ['-xf', '-', '-C', rootFolder], { input: unpacked });
    }
  }, 240_000);
  afterAll(() => place.clean());

  /** A tar of a root that has just what Sallyport and its tunnels start, and their libraries. */
  function smallRoot(): string {
    const folder = join(place.folder, 'small');
    for (const name of ['proc', 'dev', 'tmp', 'etc', volume]) mkdirSync(join(folder, name), { recursive: true });
    const programs = ['/bin/sh', '/bin/ls', '/usr/bin/id', '/usr/bin/ssh', '/usr/bin/setpriv'];
    const linked = execFileSync('ldd', [join(root, 'build/executable/bin/sallyport'), ...programs], {
      encoding: 'utf8',
    });
    const libraries = new Set([...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path));
    execFileSync('sh', [
      '-c',
      'tar -chf - -C / "$@" | tar -xf - -C "$0"',
      folder,
      ...[...programs, ...libraries].map(path => path.slice(1)),
    ]);
    writeFileSync(join(folder, 'etc/passwd'), `sallyport:x:10001:10001::${volume}:/usr/sbin/nologin\n`);
    chownSync(join(folder, volume), 10_001, 10_001);
    execFileSync('chmod', ['700', join(folder, volume)]);
    const made = join(place.folder, 'small.tar');
    execFileSync('tar', ['-cf', made, '-C', folder, '.']);
    return made;
  }

  /** As an engine starts it: as its user, with its variables, in namespaces that end with it. */
  function contained(words: readonly string[], entry?: readonly string[]): string[] {
    const { User, Env, Entrypoint, WorkingDir } = configuration.config;
    const [user, group] = User.split(':') as [string, string];
    const variables = Env.flatMap(each => {
      const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(each) ?? [];
      return ['--setenv', name, value];
    });
    const mounts = ['--bind', rootFolder, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
    const alone = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--as-pid-1', '--die-with-parent'];
    const asUser = [
      'setpriv',
      '--reuid',
      user,
      '--regid',
      group,
      '--clear-groups',
      '--no-new-privs',
      '--bounding-set=-all',
    ];
    return [
      ...['bwrap', ...mounts, ...alone, '--clearenv', ...variables, '--chdir', WorkingDir, '--'],
      ...[...asUser, '--', ...(entry ?? Entrypoint), ...words],
    ];
  }

  function run(words: readonly string[], input = '', entry?: readonly string[]) {
    const [program = '', ...parameters] = contained(words, entry);
    const { status, stdout, stderr } = spawnSync(program, parameters, { input, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  test('its user isn’t root, and the programs belong to root', () => {
    expect(run([], '', ['id', '-u']).stdout).toBe('10001\n');
    expect(run(['--version'])).toEqual({ status: 0, stdout: `sallyport ${version}\n`, stderr: '' });
    expect(run(['upgrade']).stdout).toContain('To install a newer one: load the newer image on the machine');
    for (const name of ['sallyport', 'sallyportd', 'sallyport-mcp', 'keyring.node']) {
      const { uid, mode } = statSync(join(rootFolder, 'usr/lib/sallyport/bin', name));
      expect([name, uid, mode & 0o022]).toEqual([name, 0, 0]);
    }
  });

  test('ssh, which tunnels start, knows the user', () => {
    expect(run(['-G', 'nowhere.invalid'], '', ['ssh']).stdout).toMatch(/^user sallyport$/m);
  });

  test('its first run makes the home without a person; another run’s bridge answers from it', async () => {
    const plan = {
      connections: [{ name: 'Notes', url: `sqlite:${volume}/notes.db`, create: true }],
      tokens: [{ name: 'ci' }],
    };
    const first = run(['init', '--unattended', '-'], JSON.stringify(plan));
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ci\tsp_[\w-]{43}\n$/) });
    // That daemon ended with its container, unasked.
    expect(run(['query', 'Notes', 'select 6 * 7 as answer'])).toMatchObject({ status: 0, stdout: 'answer\n42\n' });
    expect(await place.serves(contained(['mcp']))).toMatchObject({ name: 'sallyport' });
    expect(run(['init', '--unattended', '-'], '{}')).toMatchObject({ status: 1 });
  }, 60_000);
});
