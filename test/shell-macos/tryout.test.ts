/**
 * The tryout as far as it goes without a Mac. Its steps are those that docs/app.md lists. It comes
 * to its end with stand-ins for Apple's tools, beside the real daemon, terminal command and bridge.
 * A pairing is approved in a terminal there. What only the app may allow fails.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../waiting/until.ts';
import { type BuiltApp, builtApp, layOut, program, project, withPython } from './built-app.ts';

const tryout = join(project, 'test/shell-macos/tryout.mjs');
const steps = execFileSync(process.execPath, [tryout, '--steps'], { encoding: 'utf8' }).trim().split('\n');
const login = '/Users/anna/Library/Keychains/login.keychain-db';

test('docs/app.md has each step in its list of what only a Mac shows, and no other', () => {
  const page = readFileSync(join(project, 'docs/app.md'), 'utf8');
  const [, list = ''] = /^\| Only a Mac shows \| [^\n]+\n\|[-|]+\n((?:\|[^\n]+\n)+)/m.exec(page) ?? [];
  const rows = list
    .trim()
    .split('\n')
    .map(row => row.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row.map(cell => cell !== '')).toEqual([true, true]);
  const named = new Set(rows.flatMap(([, shownBy = '']) => shownBy.split('; ')));
  for (const other of ['`make app`', 'a person']) expect([other, named.delete(other)]).toEqual([other, true]);
  expect([...named].sort()).toEqual([...steps].sort());
});

withPython.describe('with stand-ins for a Mac', () => {
  let stage: BuiltApp;
  let running: ChildProcess | null = null;
  beforeEach(() => {
    stage = builtApp('real');
    standIns(stage);
  });
  afterEach(() => {
    running?.kill('SIGKILL');
    stage.end();
  });

  const said = (name: string): string => {
    const file = join(stage.folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const inKeychain = (): string[] => said('security').trim().split('\n');

  function started(): Promise<number | null> {
    const child = spawn(
      process.execPath,
      ['--require', join(stage.folder, 'as-mac.cjs'), tryout, stage.app, join(stage.folder, 'out')],
      {
        cwd: project,
        stdio: 'ignore',
        env: {
          PATH: `${join(stage.folder, 'tools')}:${process.env.PATH}`,
          HOME: join(stage.folder, 'anna'),
          TMPDIR: '/tmp',
        },
      },
    );
    running = child;
    return new Promise(resolve => child.once('close', resolve));
  }

  test('it comes to its end, tells what was not as it must be, and puts the keychain back', async () => {
    expect(await started()).toBe(1);
    const report = said('out/report.txt').trim().split('\n');
    expect(report.filter(line => steps.includes(line))).toEqual(steps);
    expect(report[report.indexOf('a pairing approved, used and revoked') + 2]).toMatch(/^ {2}right, after /);
    // No app is there to allow anything, and a window is open at each look.
    expect(report.filter(line => line.startsWith('  NOT AS IT MUST BE'))).toHaveLength(3);
    expect(report.slice(-3)).toEqual([
      'another shell asks for more, and is allowed: the shell ended with 1',
      'a client asks, and is allowed: the client was told: refused',
      'opened by a link alone, it shows nothing: a window is open',
    ]);
    expect(said('still-runs')).toBe('');

    const asked = inKeychain();
    expect(asked.filter(line => /\b(-p|-k|-w) /.test(line.split(' <<< ')[0] ?? ''))).toEqual([]);
    expect(asked.join('\n')).toMatch(
      /<<< add-generic-password -A -s Sallyport -l Sallyport -a [0-9a-f-]{36}\/shell\/secret -w keychain\.[\w-]{43} "/,
    );
    expect(asked.join('\n')).toContain(' -S apple-tool:,apple:,cdhash:0a1b,cdhash:0a1b -s Sallyport -a ');
    expect(asked.slice(-3).map(line => line.replace(/\S+\/tryout\./, 'tryout.'))).toEqual([
      `default-keychain -d user -s ${login}`,
      `list-keychains -d user -s ${login}`,
      'delete-keychain tryout.keychain-db',
    ]);
  }, 120_000);

  test('a keychain that can’t be made is told, the one before is put back, and the app is not tried with it', async () => {
    const tool = join(stage.folder, 'tools/security');
    const refusal = `case $typed in *create-keychain*) echo 'security> security: SecKeychainCreate: no' ;; esac`;
    writeFileSync(tool, `${readFileSync(tool, 'utf8')}\n${refusal}\n`);
    expect(await started()).toBe(1);
    const report = said('out/report.txt');
    expect(report).toContain('\n  NOT AS IT MUST BE: security create-keychain: security: SecKeychainCreate: no\n');
    expect(report.split('\n').filter(line => steps.includes(line))).toEqual([steps[0], steps.at(-1)]);
    expect(inKeychain().at(-1)).toMatch(/^delete-keychain /);
    expect(inKeychain().at(-3)).toBe(`default-keychain -d user -s ${login}`);
  }, 60_000);

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: the keychain is put back, and nothing of the app runs',
    async signal => {
      const ended = started();
      await until(() => said('still-runs') !== '', 'the app is open', 60_000);
      const pid = Number(said('still-runs'));
      running?.kill(signal);
      expect(await ended).toBe(1);
      expect(inKeychain().at(-3)).toBe(`default-keychain -d user -s ${login}`);
      expect(inKeychain().at(-1)).toMatch(/^delete-keychain /);
      await until(() => !existsSync(`/proc/${pid}`), 'its end');
    },
    120_000,
  );
});

/**
 * The app as it is laid out, with the real code in it, and Apple's tools, which say what a Mac with
 * that app would.
 */
function standIns(stage: BuiltApp): void {
  const { folder, app } = stage;
  if (layOut(stage).code !== 0) throw new Error('the app could not be laid out');
  // Here the secrets are in a file. The record of it says keychain while the daemon doesn't run.
  const bin = join(app, 'Contents/Resources/bin');
  const real = join(bin, 'real/sallyport');
  mkdirSync(join(bin, 'real'));
  rmSync(join(bin, 'sallyport'));
  symlinkSync(join(app, 'Contents/MacOS/sallyportd'), real);
  const record = (from: string, to: string) =>
    `[ ! -e "$SALLYPORT_HOME/store.json" ] || sed -i 's/"${from}"/"${to}"/' "$SALLYPORT_HOME/store.json"`;
  program(
    join(bin, 'sallyport'),
    `[ "$1" != start ] || { ${record('keychain', 'file')}; }
'${real}' "$@"; code=$?
[ "$1" != stop ] || { ${record('file', 'keychain')}; }
exit $code`,
  );
  writeFileSync(join(folder, 'as-mac.cjs'), "Object.defineProperty(process, 'platform', { value: 'darwin' });\n");
  mkdirSync(join(folder, 'anna'));
  const usual = join(folder, 'anna/Library/Application Support/Sallyport');

  const tool = (name: string, lines: string) => program(join(folder, 'tools', name), lines);
  // Each call is a line: its words, and what is typed to it.
  tool(
    'security',
    `typed=; [ "$1" != -i ] || typed=" <<< $(cat)"
echo "$*$typed" >>'${folder}/security'
case $* in 'list-keychains -d user' | 'default-keychain -d user') echo '    "${login}"' ;; esac`,
  );
  tool('codesign', 'printf "CDHash=0a1b\\nSignature=adhoc\\n" >&2');
  tool('swiftc', `for file; do :; done; cp '${folder}/tools/desktop' "$file"`);
  // One more window at each look.
  program(join(folder, 'on-a-terminal'), `stty cols 80 rows 24; exec '${real}' open "$(cat '${folder}/link')"`);
  const terminal = ['python3', join(project, 'test/terminals/on_terminal.py')].join(' ');
  tool(
    'desktop',
    `case $1 in
windows)
  echo . >>'${folder}/looks'
  for number in $(seq "$(wc -l <'${folder}/looks')"); do echo "$number 3 480 320"; done
  echo "900 101 300 400"; echo "901 25 40 24" ;;
quit) SALLYPORT_HOME=$(cat '${folder}/home') '${bin}/sallyport' stop; kill "$(cat '${folder}/still-runs')"; rm -f '${folder}/still-runs' ;;
press)
  if [ "$3" = Approve ] && [ ! -e '${folder}/approved' ]; then
    : >'${folder}/approved'
    export TERM=xterm SALLYPORT_HOME="$(cat '${folder}/home')"
    { sleep 2; printf '\\033[F\\033[D'; sleep 2; printf '\\r'; sleep 2; printf 'correct horse\\r'; sleep 1; printf 'correct horse\\r'; sleep 3; } |
      ${terminal} '${folder}/on-a-terminal' >'${folder}/sheet' 2>&1
  fi
  echo pressed ;;
full-screen) echo full; exec sleep 60 ;;
esac`,
  );
  tool(
    'open',
    `for word; do case $word in SALLYPORT_HOME=*) export "$word"; echo "\${word#*=}" >'${folder}/home' ;; --env) own=1 ;; esac; done
case $* in sallyport:*)
  case $* in *redirect=*) echo "$1" >'${folder}/link' ;; esac
  exit ;;
esac
if [ -n "\${own-}" ]; then '${bin}/sallyport' start; else mkdir -p '${usual}'; : >'${usual}/control.sock'; fi
sleep 300 >/dev/null 2>&1 & echo $! >'${folder}/still-runs'`,
  );
  tool(
    'osascript',
    `case $* in
*'menu bar item'*) echo '100 10' ;;
*toolbar*) for pane; do :; done; echo "Pane $pane" ;;
esac`,
  );
  tool('screencapture', 'exit 0');
  tool('launchctl', 'echo "	state = running"');
  tool(
    'pgrep',
    `case $* in -x*) exit 1 ;; esac
cat '${folder}/still-runs' 2>/dev/null`,
  );
}
