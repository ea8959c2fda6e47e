/** The pseudo-terminal of the tests, as it is made on Linux and on macOS. */

import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { expectWithin } from '../waiting/limits.ts';
import { lineOnTerminal, missingForTerminals, onTerminal } from './on-terminal.mjs';

const { describe } = needs(missingForTerminals('linux') ?? missingForTerminals('darwin'));

function started([program, words]: readonly [string, string[]], stdin: 'pipe' | 'ignore' = 'pipe') {
  const child = spawn(program, words, { stdio: [stdin, 'pipe', 'ignore'] });
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', text => {
    shown += text;
    // Once, as the answer is shown too.
    if (shown.endsWith('Name: ')) child.stdin?.write('Anna\r');
  });
  child.stdin?.on('error', () => {});
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  return { child, ended, shown: () => shown.replaceAll('\r', '') };
}

// On a Mac, Linux's can't be tried.
const platforms = process.platform === 'darwin' ? ['darwin'] : ['linux', 'darwin'];
for (const platform of platforms)
  describe(`as on ${platform}`, () => {
    test('a program has a terminal, is typed to, and its exit code comes back', async () => {
      const line = `[ -t 0 ] && [ -t 1 ] && (: </dev/tty) && stty cols 99 && stty size; printf 'Name: '; read -r name; echo "Hello $name"; exit 7`;
      const run = started(lineOnTerminal(line, platform));
      expect(await run.ended).toBe(7);
      expect(run.shown()).toMatch(/^\d+ 99\nName: Anna\nHello Anna\n$/);
    });

    test('words stay as they are', async () => {
      const words = ['a b', "it's", '$HOME', '"', 'ü'];
      const run = started(onTerminal(['printf', '<%s>', ...words], platform));
      expect(await run.ended).toBe(0);
      expect(run.shown()).toBe(words.map(word => `<${word}>`).join(''));
    });

    test('without a stdin it runs to its end, and all it shows arrives', async () => {
      const run = started(lineOnTerminal('read -r nothing || echo end; seq 20000', platform), 'ignore');
      expect(await run.ended).toBe(0);
      expect(run.shown()).toMatch(/end\n1\n2\n[\s\S]*\n20000\n$/);
    });

    test('if it is killed, so is the program, as when a window is closed', async () => {
      const run = started(lineOnTerminal('echo $$; exec sleep 600', platform));
      while (!run.shown().includes('\n')) await new Promise(resolve => setTimeout(resolve, 20));
      run.child.kill('SIGKILL');
      await run.ended;
      const pid = Number(run.shown());
      const isAlive = (): boolean => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      while (isAlive()) await new Promise(resolve => setTimeout(resolve, 20));
    });

    test('a program that it leaves behind keeps nobody waiting', async () => {
      const run = started(lineOnTerminal('trap "" HUP; sleep 600 & echo $!', platform));
      const began = performance.now();
      expect(await run.ended).toBe(0);
      expectWithin(began, 4_000);
      // Throws if it has ended.
      process.kill(Number(run.shown()), 'SIGKILL');
    });

    test('a program that is not there is 127', async () => {
      expect(await started(onTerminal(['no-such-program'], platform)).ended).toBe(127);
    });
  });
