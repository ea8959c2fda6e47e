/**
 * The scripts that a Mac runs, with its programs alone in PATH (bsd/mac-programs.ts), by each shell
 * that may be `sh`. test/patterns/mac.ts reads all of them; here those that work without Apple's
 * tools come to their end. make-app.test.ts runs the others.
 */

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { missingPrograms, needs } from '../needs.ts';
import { macPrograms, shells } from './bsd/mac-programs.ts';
import { builtApp, program, project } from './built-app.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mac-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["sed -i 's/a/b/' f", 64],
  ["sed -n 's/a/b/p' f", 0],
  ['cp -al f g', 64],
  ['cp f g -R', 64],
  ['cp -R f g', 0],
  ['find -name f', 64],
  ["find . -name f -printf '%p'", 64],
  ['find . -name f -exec grep -c -e -printf {} +', 1],
  ['head -n -1 f', 64],
  ['grep --quiet a f', 64],
  ['tar --owner=0 -cf a.tar f', 64],
  ['stat -c %a f', 64],
  ['mktemp -p .', 64],
  ['echo f | xargs -r cat', 64],
  ['echo f | xargs cat --', 0],
  ['md5sum f', 127],
  ['[ -z "$(command -v sha256sum)" ]', 0],
])('a Mac’s programs: %s ends with %i', (line, code) => {
  writeFileSync(join(folder, 'f'), 'a\n');
  const env = { PATH: macPrograms(join(folder, 'bin')) };
  expect(spawnSync('/bin/sh', ['-c', line], { cwd: folder, env, stdio: 'ignore' }).status).toBe(code);
});

for (const [name, shell] of Object.entries(shells)) {
  const missing = missingPrograms([shell.split(' ')[0] ?? '', 'python3', 'shasum', 'npm'], 'sh test/install/shells.sh');
  const { describe } = needs(missing);
  describe(`by ${name}`, () => {
    function ran(script: string, words: readonly string[], environment: object = {}): string {
      const bin = join(folder, 'programs');
      const env = { PATH: existsSync(bin) ? bin : macPrograms(bin, shell), HOME: folder, ...environment };
      const { status, stdout, stderr } = spawnSync('sh', [script, ...words], { cwd: project, encoding: 'utf8', env });
      // Written to say nothing, or all is told.
      expect([script, status, stderr]).toEqual([script, 0, '']);
      return stdout;
    }
    const at = (path: string): string => join(folder, path);

    test('what is packed is checked, installed, and removed again', () => {
      const executable = at('executable');
      program(join(executable, 'bin/sallyport'), `echo sallyport ${version}`);
      for (const name of ['sallyportd', 'sallyport-mcp'])
        linkSync(join(executable, 'bin/sallyport'), join(executable, 'bin', name));
      const shared = [
        'man/man1/sallyport.1',
        'bash-completion/completions/sallyport',
        'zsh/site-functions/_sallyport',
        'fish/vendor_completions.d/sallyport.fish',
      ];
      for (const path of shared) {
        mkdirSync(join(executable, 'share', dirname(path)), { recursive: true });
        writeFileSync(join(executable, 'share', path), path);
      }
      for (const name of ['place.sh', 'as-person.sh'])
        cpSync(join(project, 'bridge/packaging', name), join(executable, name));
      ran('bridge/packaging/download.sh', [executable, at('download')]);
      const from = { SALLYPORT_FROM: `file://${at('download')}` };
      expect(ran(at('download/install.sh'), [], from)).toContain(`Sallyport is installed in ${at('.local')}.`);
      expect(ran(at('.local/bin/sallyport'), [])).toBe(`sallyport ${version}\n`);
      expect(readFileSync(at('.local/share/man/man1/sallyport.1'), 'utf8')).toBe('man/man1/sallyport.1');
      expect(ran(at('.local/lib/sallyport/place.sh'), ['remove', at('.local')])).toContain('Removed ');
      expect(existsSync(at('.local'))).toBe(false);
    });

    test('made for a client: the bridge as a bundle, a first file, and the Node that runs it', () => {
      ran('bridge/packaging/mcpb.sh', ['build/bundle/sallyport-mcp.cjs', at('sallyport.mcpb')]);
      expect(readFileSync(at('sallyport.mcpb')).subarray(0, 2).toString()).toBe('PK');
      expect(ran('bridge/packaging/first-file.sh', [process.execPath, 'sallyport'])).toContain(process.execPath);
      expect(ran('bridge/packaging/node.sh', ['wanted'])).toBe('');
    });

    test('the app is laid out', () => {
      const stage = builtApp();
      try {
        ran('shell-macos/packaging/layout.sh', [stage.built, stage.executable, stage.app, '1.2.3']);
        expect(readdirSync(join(stage.app, 'Contents')).sort()).toContain('MacOS');
      } finally {
        stage.end();
      }
    });
  });
}
