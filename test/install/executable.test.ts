/**
 * The single executable of the bridge: as installed, without a Node in reach, in an empty
 * environment.
 */

import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { needs } from '../needs.ts';
import { Place, root } from './installed.ts';

const made = join(root, 'build', 'executable', 'sallyport-mcp');
// A Node is fetched for it (52 MB). Without that permission only an existing one is tested.
const wanted = process.env.SALLYPORT_TEST_INSTALL === '1' || existsSync(made);
const { test: testIfWanted } = needs(wanted ? null : 'SALLYPORT_TEST_INSTALL=1');

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.clean());

testIfWanted(
  'it is installed in place of the script, and starts the daemon beside it',
  async () => {
    await place.run(
      'sh',
      [join(root, 'bridge/packaging/executable.sh'), 'build/bundle/sallyport-mcp.cjs', 'build/executable'],
      {
        cwd: root,
      },
    );
    const prefix = join(place.folder, 'opt');
    const source = place.copyOfProject('build/executable/sallyport-mcp');
    await place.run('sh', ['bridge/packaging/install.sh', 'install', prefix], { cwd: source });
    const bridge = join(prefix, 'bin', 'sallyport-mcp');
    expect(statSync(bridge).size).toBeGreaterThan(50_000_000);
    expect(await place.run(bridge, ['--version'], { env: { PATH: undefined } })).toMatch(/^sallyport-mcp \d/);
    expect(await place.run(bridge, ['--version'], { env: { NODE_OPTIONS: '--no-such-option' } })).toMatch(
      /^sallyport-mcp \d/,
    );
    expect(await place.serves([bridge])).toMatchObject({ name: 'sallyport' });
    expect(place.daemonCommand()).toContain(join(prefix, 'lib', 'sallyport', 'bin', 'sallyportd'));
    await place.run(join(prefix, 'bin', 'sallyport'), ['stop']);

    // Started by its name, found on a PATH, through a user's link: the typed path leads nowhere,
    // the file itself leads to the rest.
    const links = join(place.folder, 'links');
    mkdirSync(links);
    symlinkSync(bridge, join(links, 'my-databases'));
    expect(await place.serves(['my-databases'], { PATH: links })).toMatchObject({ name: 'sallyport' });
  },
  180_000,
);
