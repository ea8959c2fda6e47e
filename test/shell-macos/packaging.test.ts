/**
 * Sallyport.app, as far as it can be tested without a Mac: its property lists key by key, and the
 * bundle laid out and run.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keychainMark } from '../../shared/keychain-call.ts';
import { launchAgent } from '../../shell-terminal/service/launch-agent.ts';
import { missingPrograms, needs } from '../needs.ts';
import { type BuiltApp, builtApp, filesIn, layOut, packaging, program, project, withPython } from './built-app.ts';
import { propertyList } from './property-list.ts';

const libraryValidation = 'com.apple.security.cs.disable-library-validation';

/** Exceptions from the hardened runtime that the page about packaging names for a program. */
function documented(program: string): string[] {
  const rows = source('shell-macos/packaging/README.md').split('\n');
  return rows
    .flatMap(row => (row.startsWith(`| ${program} | `) ? [row.slice(program.length + 6).split('`')[0] ?? ''] : []))
    .sort();
}

function granted(file: string): string[] {
  const list = propertyList(join(project, file));
  return Object.keys(list)
    .filter(key => list[key] === true)
    .sort();
}

const source = (path: string): string => readFileSync(join(project, path), 'utf8');

withPython.describe('the property lists', () => {
  test('Info.plist names the app, its scheme and what it asks permissions for', () => {
    const list = propertyList(join(packaging, 'Info.plist'));
    const usages = Object.keys(list).filter(key => key.endsWith('UsageDescription'));
    expect(usages.sort()).toEqual([
      'NSDesktopFolderUsageDescription',
      'NSDocumentsFolderUsageDescription',
      'NSDownloadsFolderUsageDescription',
      'NSLocalNetworkUsageDescription',
      'NSNetworkVolumesUsageDescription',
      'NSRemovableVolumesUsageDescription',
    ]);
    for (const usage of usages) expect(list[usage]).toMatch(/^Sallyport [^.]+\.$/);
    const others = Object.fromEntries(Object.entries(list).filter(([key]) => !usages.includes(key)));
    expect(others).toEqual({
      CFBundleInfoDictionaryVersion: '6.0',
      CFBundlePackageType: 'APPL',
      CFBundleIdentifier: 'app.sallyport.Sallyport',
      CFBundleName: 'Sallyport',
      CFBundleDisplayName: 'Sallyport',
      CFBundleExecutable: 'Sallyport',
      CFBundleIconFile: 'Sallyport',
      CFBundleShortVersionString: '@VERSION@',
      CFBundleVersion: '@VERSION@',
      CFBundleDevelopmentRegion: 'en',
      CFBundleURLTypes: [
        { CFBundleURLName: 'app.sallyport.Sallyport', CFBundleTypeRole: 'Viewer', CFBundleURLSchemes: ['sallyport'] },
      ],
      LSMinimumSystemVersion: '13.0',
      LSApplicationCategoryType: 'public.app-category.developer-tools',
      LSUIElement: true,
      NSPrincipalClass: 'NSApplication',
      NSHighResolutionCapable: true,
      NSSupportsAutomaticTermination: false,
      NSSupportsSuddenTermination: false,
      NSHumanReadableCopyright: expect.stringContaining('The Sallyport authors'),
    });
    expect(source('LICENSE')).toContain(list.NSHumanReadableCopyright);
  });

  test('they agree with the code: scheme, agent, system', () => {
    expect(source('shared/launch.ts')).toContain("'sallyport://integrations/start-mcp'");
    expect(source('shell-macos/Sources/ShellRules/Links/DeepLink.swift')).toContain('sallyport:');
    expect(source('shell-macos/Package.swift')).toContain('.macOS(.v13)');
    expect(source('shell-macos/Sources/ShellRules/Socket/ShellSecretItem.swift')).toContain(`mark = "${keychainMark}"`);
    const agent = propertyList(join(packaging, 'app.sallyport.sallyportd.plist'));
    const start = source('shell-macos/Sources/ShellRules/App/DaemonStart.swift');
    expect(start).toContain(`agentLabel = "${agent.Label}"`);
    expect(start).toContain('agentPlist = "\\(agentLabel).plist"');
  });

  test('the LaunchAgent is the one that the terminal would install, with the bundle’s paths', () => {
    const folder = builtApp();
    try {
      const written = join(folder.folder, 'terminal.plist');
      writeFileSync(written, launchAgent(['/a'], '/b'));
      const { Label, ProgramArguments, StandardErrorPath, ...shared } = propertyList(written);
      expect([Label, ProgramArguments, StandardErrorPath]).not.toContain(undefined);
      expect(propertyList(join(packaging, 'app.sallyport.sallyportd.plist'))).toEqual({
        ...shared,
        Label: 'app.sallyport.sallyportd',
        BundleProgram: 'Contents/MacOS/sallyportd',
        AssociatedBundleIdentifiers: ['app.sallyport.Sallyport'],
      });
    } finally {
      folder.end();
    }
  });

  test('each exception from the hardened runtime is documented, and no other is taken', () => {
    expect(granted('bridge/packaging/entitlements.plist')).toEqual(documented('`sallyportd`'));
    expect(documented('`sallyportd`, ad hoc only')).toEqual([libraryValidation]);
  });
});

withPython.describe('the bundle', () => {
  let stage: BuiltApp;
  beforeEach(() => {
    stage = builtApp();
  });
  afterEach(() => stage.end());

  test('has each part in its place, and the named programs can be run', () => {
    expect(layOut(stage)).toEqual({ code: 0, said: '' });
    const files = filesIn(join(stage.app, 'Contents'));
    expect(files).toEqual([
      'Helpers/sallyport-keychain',
      'Info.plist',
      'Library/LaunchAgents/app.sallyport.sallyportd.plist',
      'MacOS/Sallyport',
      'MacOS/keyring.node',
      'MacOS/sallyport-mcp',
      'MacOS/sallyportd',
      'PkgInfo',
      'Resources/LICENSE',
      'Resources/Node-LICENSE.txt',
      'Resources/Sallyport.icns',
      'Resources/THIRD-PARTY-NOTICES.txt',
      'Resources/bin/sallyport',
      'Resources/de.lproj/InfoPlist.strings',
      'Resources/de.lproj/Localizable.strings',
      'Resources/de.lproj/Localizable.stringsdict',
      'Resources/en.lproj/Localizable.strings',
      'Resources/en.lproj/Localizable.stringsdict',
      'Resources/keyring-LICENSE.txt',
    ]);
    const info = propertyList(join(stage.app, 'Contents/Info.plist'));
    expect([info.CFBundleShortVersionString, info.CFBundleVersion]).toEqual(['1.2.3', '1.2.3']);
    const agent = propertyList(join(stage.app, 'Contents/Library/LaunchAgents/app.sallyport.sallyportd.plist'));
    for (const path of [`Contents/MacOS/${info.CFBundleExecutable}`, String(agent.BundleProgram)]) {
      accessSync(join(stage.app, path), constants.X_OK);
    }
    const english = readFileSync(join(stage.app, 'Contents/Resources/en.lproj/Localizable.strings'), 'utf8');
    for (const key of ['Deny', 'Token', 'Bytes kept of one cell.', 'TRUNCATE removes every row.'])
      expect(english).toContain(`"${key}" = "${key}";\n`);
    accessSync(join(stage.app, 'Contents/Resources', `${info.CFBundleIconFile}.icns`));
    expect(statSync(join(stage.app, 'Contents/Info.plist')).mode & 0o777).toBe(0o644);
  });

  test('has no two files that are the same file to a Mac', () => {
    expect(layOut(stage).code).toBe(0);
    const names = filesIn(stage.app).map(file => file.toLowerCase());
    expect(names).toHaveLength(new Set(names).size);
  });

  test('holds the executable once, by its three names', () => {
    expect(layOut(stage).code).toBe(0);
    const at = (path: string): string => join(stage.app, 'Contents', path);
    const daemon = realpathSync(at('MacOS/sallyportd'));
    expect(readlinkSync(at('MacOS/sallyport-mcp'))).toBe('sallyportd');
    expect([at('MacOS/sallyport-mcp'), at('Resources/bin/sallyport')].map(path => realpathSync(path))).toEqual([
      daemon,
      daemon,
    ]);
    const said = (path: string): string => execFileSync(at(path), ['x'], { encoding: 'utf8' });
    expect([said('MacOS/sallyportd'), said('Resources/bin/sallyport')]).toEqual(['sallyportd x\n', 'sallyport x\n']);
  });

  test.each([
    ['the executable', 'executable/bin/sallyport'],
    ['the keychain’s module', 'executable/bin/keyring.node'],
    ['what makes an item of the keychain', 'built/sallyport-keychain'],
    ['the icon', 'built/Sallyport.icns'],
    ['the licence of its Node', 'executable/Node-LICENSE.txt'],
    ['the licences of its packages', 'executable/THIRD-PARTY-NOTICES.txt'],
  ])('without %s none is made, and the earlier one stays', (_what, missing) => {
    expect(layOut(stage).code).toBe(0);
    const info = join(stage.app, 'Contents/Info.plist');
    const before = readFileSync(info, 'utf8');
    rmSync(join(stage.folder, missing));
    const { code, said } = layOut(stage, '2.0.0');
    expect(code).toBe(1);
    expect(said).toMatch(new RegExp(`^layout\\.sh: .*${basename(missing)}.* is missing\n$`));
    expect(before).toContain('<string>1.2.3</string>');
    expect(readFileSync(info, 'utf8')).toBe(before);
  });

  test.each(['1.2.3-beta', '', 'v1', '1.'])('a version that macOS wouldn’t accept is refused: %p', version => {
    expect(layOut(stage, version).code).toBe(1);
  });

  test('a link that leads out of it is refused, since a signature wouldn’t cover its target', () => {
    mkdirSync(join(stage.built, 'More.bundle'));
    symlinkSync('/etc/hosts', join(stage.built, 'More.bundle/hosts'));
    const { code, said } = layOut(stage);
    expect(code).toBe(1);
    expect(said).toMatch(/these links lead out of the app: .*More\.bundle\/hosts/);
  });
});

describe('the scripts', () => {
  const scripts = filesIn(packaging).filter(file => file.endsWith('.sh'));

  test('are those that the page about them lists', () => {
    const page = source('shell-macos/packaging/README.md');
    for (const script of scripts) expect(page).toContain(`\`${script}\``);
  });

  needs(missingPrograms(['shellcheck'], 'sh test/install/shellcheck.sh')).test('shellcheck finds nothing', () => {
    const { status, stdout } = spawnSync('shellcheck', scripts, { cwd: packaging, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  needs(process.platform === 'darwin' ? 'not on a Mac' : null).test(
    'make app says in one sentence why it isn’t made here',
    () => {
      const { status, stderr } = spawnSync('sh', [join(packaging, 'app.sh')], { cwd: project, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: "Sallyport.app can only be built on macOS: it needs Apple's SwiftUI, codesign and iconutil.\n",
      });
    },
  );

  for (const identity of ['-', 'Developer ID Application: Anna']) {
    withPython.test(`signed by ${identity}: each program by its name, and the app last`, () => {
      const stage = builtApp();
      try {
        expect(layOut(stage).code).toBe(0);
        const tools = join(stage.folder, 'tools');
        program(join(tools, 'xattr'), 'exit 0');
        // The file, how it is named, and what of the hardened runtime is left out for it.
        const keep = `for word; do [ "$before" != --entitlements ] || cp "$word" '${stage.folder}'/"$(basename "$file")".plist; before=$word; done`;
        program(
          join(tools, 'codesign'),
          `for file; do :; done\nbefore=\n${keep}\necho "$file $*" >>'${stage.folder}/said'`,
        );
        execFileSync('sh', [join(packaging, 'sign.sh'), stage.app, identity], {
          env: { PATH: `${tools}:${process.env.PATH}` },
        });
        const signed = readFileSync(join(stage.folder, 'said'), 'utf8').trim().split('\n');
        const named = signed.map(line => [
          line.slice(stage.app.length).split(' ')[0],
          /--identifier (\S+)/.exec(line)?.[1],
          line.includes('--entitlements'),
        ]);
        expect(named).toEqual([
          ['/Contents/MacOS/keyring.node', 'app.sallyport.Sallyport.keyring', false],
          ['/Contents/Helpers/sallyport-keychain', 'app.sallyport.Sallyport.keychain', false],
          ['/Contents/MacOS/sallyportd', 'app.sallyport.Sallyport.daemon', true],
          ['', undefined, false],
        ]);
        // V8 needs both. Without one of them it has no memory for its code, on Intel or on either
        // kind of Mac, and each program with Node in it dies at its start.
        const forV8 = ['com.apple.security.cs.allow-jit', 'com.apple.security.cs.allow-unsigned-executable-memory'];
        const taken = (program: string) => granted(relative(project, join(stage.folder, `${program}.plist`)));
        expect(taken('sallyportd')).toEqual(identity === '-' ? [...forV8, libraryValidation] : forV8);
        for (const line of signed) expect(line).toContain(`--force --sign ${identity} --options runtime --timestamp`);
      } finally {
        stage.end();
      }
    });
  }

  test('the disk image has the app and a way to Applications, says for which Mac it is, and is signed by whom it is told', () => {
    const folder = mkdtempSync(join(tmpdir(), 'image-'));
    try {
      const tools = join(folder, 'tools');
      const note = `echo "$(basename "$0") $*" >>'${folder}/said'`;
      program(join(tools, 'codesign'), note);
      program(join(tools, 'ditto'), 'cp -R "$1" "$2"');
      program(join(tools, 'plutil'), '[ "$2" = CFBundleShortVersionString ] && echo 1.2.3');
      program(join(tools, 'lipo'), '[ "$1" = -archs ] && echo arm64');
      // In the place of an image, it writes a list of what the image is made of.
      program(join(tools, 'hdiutil'), `${note}\n[ "$1" != create ] || ls -F "$5" >"$8"`);
      const app = join(folder, 'Sallyport.app');
      mkdirSync(app);
      const run = (...words: string[]): string =>
        execFileSync('sh', [join(packaging, 'dmg.sh'), app, folder, ...words], {
          encoding: 'utf8',
          env: { PATH: `${tools}:${process.env.PATH}`, LOGS: join(folder, 'logs') },
        });
      const image = join(folder, 'Sallyport-1.2.3-arm64.dmg');
      expect(run().split('\n').at(-2)).toBe(image);
      expect(readFileSync(image, 'utf8')).toBe('Applications@\nSallyport.app/\n');
      expect(readFileSync(join(folder, 'said'), 'utf8')).not.toContain('codesign');
      run('Developer ID');
      expect(readFileSync(join(folder, 'said'), 'utf8')).toMatch(
        /\ncodesign --sign Developer ID --timestamp \S+\nhdiutil verify/,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  needs(process.platform === 'darwin' ? 'not on a Mac' : null).test(
    'the tryout says in one sentence why it isn’t made here',
    () => {
      const words = [join(project, 'test/shell-macos/tryout.mjs'), 'build/Sallyport.app', 'build/tryout'];
      const { status, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'Sallyport.app can only be tried on macOS.\n' });
    },
  );

  test('the cask has a release’s version, addresses and sums, and puts the command into PATH', () => {
    const [first, second] = [join(packaging, 'Info.plist'), join(packaging, 'sign.sh')];
    const cask = execFileSync(
      'sh',
      [
        join(packaging, 'cask.sh'),
        '1.2.3',
        'https://downloads.example/v1.2.3',
        'https://sallyport.example',
        first,
        second,
      ],
      { encoding: 'utf8' },
    );
    const sum = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(cask).toContain('version "1.2.3"');
    expect(cask).toContain(`sha256 arm:   "${sum(first)}",\n         intel: "${sum(second)}"`);
    expect(cask).toContain('url "https://downloads.example/v1.2.3/Sallyport-#{version}-#{arch}.zip"');
    expect(cask).toContain('/Sallyport.app/Contents/Resources/bin/sallyport"');
    // Homebrew does both before it removes the bundle. At an upgrade it does the second only if
    // told to.
    const stop =
      /^ {2}uninstall early_script: \{\n +executable: +"\/bin\/sh",\n +args: +(\[.*\]),\n +must_succeed: false,\n +\},$/m;
    expect(cask).toMatch(stop);
    expect(cask).toMatch(/^ +quit: +"app\.sallyport\.Sallyport",\n +on_upgrade: +:quit$/m);
    // It would ask for a password.
    expect(cask).not.toMatch(/launchctl: +"/);
    const applications = mkdtempSync(join(tmpdir(), 'My Applications '));
    try {
      const bin = join(applications, 'Sallyport.app/Contents/Resources/bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'sallyport'), '#!/bin/sh\nprintf %s "$*"\n', { mode: 0o755 });
      const args = JSON.parse((stop.exec(cask)?.[1] ?? '').replace('#{appdir}', applications)) as string[];
      expect(execFileSync('/bin/sh', args, { encoding: 'utf8' })).toBe('stop');
    } finally {
      rmSync(applications, { recursive: true, force: true });
    }
    expect(cask).not.toContain('@');
  });

  test('the icon is a picture of 1024 points with transparent corners', () => {
    const icon = join(packaging, 'icon/icon.png');
    const header = readFileSync(icon);
    expect(header.subarray(1, 4).toString()).toBe('PNG');
    expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([1024, 1024]);
    // 8 bits per channel, with alpha.
    expect([header[24], header[25]]).toEqual([8, 6]);
    expect(source('shell-macos/packaging/icon/icon.svg')).toContain('viewBox="0 0 1024 1024"');
  });
});
