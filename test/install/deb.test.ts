/**
 * The Debian package: what it holds, and a bare Debian in which it is installed, answers, and is
 * removed.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { systemdUnit } from '../../shell-terminal/service/systemd-unit.ts';
import { missingPrograms, needs } from '../needs.ts';
import { Place, root } from './installed.ts';

const noDebian = missingPrograms(['dpkg-deb', 'md5sum'], '');

needs(noDebian).describe('the package', () => {
  let place: Place;
  let file: string;
  /** Unpacked. */
  let tree: string;
  beforeAll(async () => {
    place = new Place();
    // On the disk, as a bare Debian is copied beside it: temporary files may lie in memory.
    file = join(mkdtempSync('/var/tmp/sallyport-deb-'), 'sallyport.deb');
    await made(file);
    tree = join(file, '../tree');
    execFileSync('dpkg-deb', ['-R', file, tree]);
  }, 120_000);
  const made = (into: string): Promise<string> =>
    place.run('sh', ['bridge/packaging/deb.sh', 'build/executable', into], {
      cwd: root,
      env: { MAINTAINER: 'Ada <ada@sallyport.app>', LEVEL: '1' },
    });
  afterAll(async () => {
    if (place === undefined) return;
    await place.clean();
    rmSync(join(file, '..'), { recursive: true });
  });
  const text = (path: string): string => readFileSync(join(tree, path), 'utf8');

  test('its files lie where Debian looks for each, and none of them is a setting', () => {
    const files = readdirSync(tree, { recursive: true, withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name).slice(tree.length + 1));
    expect(files.sort()).toEqual([
      ...['control', 'md5sums', 'postrm', 'prerm'].map(name => `DEBIAN/${name}`),
      ...['sallyport', 'sallyport-mcp', 'sallyportd'].map(name => `usr/bin/${name}`),
      ...['keyring.node', 'manifest.json', 'sallyport', 'sallyport-mcp', 'sallyportd'].map(
        name => `usr/lib/sallyport/bin/${name}`,
      ),
      'usr/lib/systemd/user/sallyport.service',
      'usr/share/bash-completion/completions/sallyport',
      ...['Node-LICENSE.txt', 'THIRD-PARTY-NOTICES.txt', 'changelog.gz', 'copyright', 'keyring-LICENSE.txt'].map(
        name => `usr/share/doc/sallyport/${name}`,
      ),
      'usr/share/fish/vendor_completions.d/sallyport.fish',
      'usr/share/lintian/overrides/sallyport',
      ...['sallyport-mcp.1.gz', 'sallyport.1.gz', 'sallyportd.1.gz'].map(name => `usr/share/man/man1/${name}`),
      'usr/share/zsh/vendor-completions/_sallyport',
    ]);
    const bin = join(tree, 'usr/bin');
    for (const name of readdirSync(bin)) expect(readlinkSync(join(bin, name))).toBe(`../lib/sallyport/bin/${name}`);
    expect(lstatSync(join(tree, 'usr/lib/sallyport/bin/sallyport')).nlink).toBe(3);
    expect(text('DEBIAN/control')).toMatch(
      new RegExp(`^Package: sallyport\nVersion: ${version}\nArchitecture: \\w+\nMaintainer: Ada <ada@sallyport.app>\n`),
    );
  });

  test('of the same executable it is the same, byte for byte', async () => {
    const again = join(file, '../again.deb');
    await made(again);
    execFileSync('cmp', [file, again]);
    rmSync(again);
  }, 60_000);

  needs(missingPrograms(['lintian'], 'sh test/install/installers.sh')).test(
    'Debian’s checker has no error and no warning',
    () => {
      const words = ['--allow-root', '--fail-on', 'error,warning', file];
      const { status, stdout } = spawnSync('lintian', words, { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
    120_000,
  );

  test('the page for man and the completions are those that the commands print', async () => {
    const sallyport = join(tree, 'usr/bin/sallyport');
    const printed = (...words: string[]) => place.run(sallyport, words);
    expect(gunzipSync(readFileSync(join(tree, 'usr/share/man/man1/sallyport.1.gz'))).toString()).toBe(
      await printed('manual'),
    );
    for (const [shell, path] of [
      ['bash', 'bash-completion/completions/sallyport'],
      ['zsh', 'zsh/vendor-completions/_sallyport'],
      ['fish', 'fish/vendor_completions.d/sallyport.fish'],
    ] as const)
      expect(text(`usr/share/${path}`)).toBe(await printed('completion', shell));
  });

  test('its unit is the one that `service install` would write', () => {
    const unit = systemdUnit(['/usr/lib/sallyport/bin/sallyportd']);
    expect(text('usr/lib/systemd/user/sallyport.service')).toBe(unit);
  });

  needs(missingPrograms(['zsh'], 'sh test/install/shells.sh')).test(
    'zsh completes at the first Tab, by the function’s own file',
    () => {
      const script = `compdef() { print late }; _describe() { print -rl -- "\${(@P)2}" }; _files() { print files }
fpath=(${tree}/usr/share/zsh/vendor-completions $fpath); path=(${tree}/usr/bin $path); autoload -Uz _sallyport
words=(sallyport servic) CURRENT=2
_sallyport`;
      expect(execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })).toBe(
        'service:install, status, uninstall\n',
      );
    },
  );

  const bare =
    process.getuid?.() === 0
      ? missingPrograms(['mmdebstrap', 'unshare'], 'sh test/install/installers.sh')
      : 'run as root';
  needs(process.arch === 'x64' ? bare : 'tried on amd64 only').test(
    'a bare Debian: installed, a first answer, its unit enabled, removed; what stays is said',
    () => {
      const run = (script: string): string =>
        execFileSync('sh', ['-euc', script, 'sh', join(file, '..')], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
      run(`. test/install/debian-root.sh
bare_root
mkdir "$1/bare"
tar -C "$root" --exclude='./home/*' --exclude='./tmp/*' -cf - . | tar -xf - -C "$1/bare"
mv "$1/sallyport.deb" "$1/bare/"`);
      const said = run(`exec unshare --mount --pid --fork --kill-child --propagation private -- sh -euc '
  cd "$0/bare"
  mount -t proc proc proc
  mount --rbind /dev dev
  inside() { chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
  list() { find etc usr var opt ! -type d | grep -v "^var/\\(log\\|lib/dpkg\\|cache\\)/" | sort; }
  inside useradd --create-home --shell /bin/sh ada
  list >before
  inside dpkg --install /sallyport.deb >/dev/null
  inside su ada -c "
    cd
    sallyport demo >/dev/null
    sallyport query Demo \\"select 6 * 7 as answer\\"
    sallyport connect cursor
    sallyport service install >/dev/null
    readlink .config/systemd/user/default.target.wants/sallyport.service
    sallyport service uninstall | head -n 1
    sallyport upgrade
    sallyport uninstall" 2>/dev/null
  inside su ada -c "sallyport start" >/dev/null
  inside dpkg --remove sallyport | tail -n +3
  list | diff before -
' "$1"`);
      const entry = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
      expect(JSON.parse(entry)).toEqual({ mcpServers: { sallyport: { command: '/usr/bin/sallyport-mcp' } } });
      const home = '/home/ada/.local/share/sallyport';
      expect(said.replace(entry, 'ENTRY').replace(/\d+(?= of ada)/, 'N')).toBe(`answer
42
ENTRY
/usr/lib/systemd/user/sallyport.service
Removed /home/ada/.config/systemd/user/default.target.wants/sallyport.service
This is Sallyport ${version}. No source of apt has Sallyport, so nothing here knows of a newer one. To install a newer one: sudo apt install ./FILE, with the file of the newer package; then \`sallyport restart\`.
Stopped Sallyport, which was running.
Your connections, passwords, settings and log stay in ${home}. To be rid of them: rm -r ${home}
Now the program itself: sudo apt remove sallyport
Stopped Sallyport, process N of ada.
Connections, settings, the log, and passwords that are in no keychain stay in ${home}
An AI client whose file has an entry "sallyport" will say that it can't start it; take the entry out.
`);
    },
    180_000,
  );
});

test('without dpkg-deb, make says so', () => {
  const { status, stderr } = spawnSync('/bin/sh', ['bridge/packaging/deb.sh', 'build/executable', '/nowhere'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'A Debian package is made with dpkg-deb, which is not installed here.\n',
  });
  expect(existsSync('/nowhere')).toBe(false);
});
