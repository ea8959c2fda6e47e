/**
 * The built daemon as a process of its own whose clocks, wall and monotonic, go ahead when a test
 * says so. Everything else is unchanged.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executable, type RealHome } from '../../shell-terminal/real-home.ts';
import { lineOnTerminal } from '../../terminals/on-terminal.mjs';
import { until } from '../../waiting/until.ts';

const daemonExecutable = fileURLToPath(new URL('../../../build/bin/sallyportd', import.meta.url));

export interface Clock {
  /** Moves the clock this far ahead of the real one; no other process resets it. */
  setAheadSeconds(seconds: number): void;
  aheadSeconds(): number;
  /**
   * The command under the same clock, on a terminal of its own; it returns the output at its end.
   */
  spawnOnTerminal(words: readonly string[]): ChildProcess;
}

/**
 * @param aheadSeconds how far ahead from the start.
 * @returns once the daemon answers; it ends with `stop`, or with its home.
 */
export async function startClockedDaemon(home: RealHome, aheadSeconds = 0): Promise<Clock> {
  const ahead = join(home.folder, 'ahead-milliseconds');
  const clock = join(home.folder, 'clock.mjs');
  let seconds = 0;
  const setAheadSeconds = (to: number): void => {
    seconds = to;
    writeFileSync(ahead, String(to * 1000));
  };
  setAheadSeconds(aheadSeconds);
  writeFileSync(
    clock,
    `import { readFileSync } from 'node:fs';
const wall = Date.now;
const steady = performance.now.bind(performance);
const ahead = () => Number(readFileSync(${JSON.stringify(ahead)}, 'utf8'));
Date.now = () => wall() + ahead();
performance.now = () => steady() + ahead();
`,
  );
  const daemon = spawn(process.execPath, ['--import', clock, daemonExecutable], {
    cwd: home.folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home.folder, TZ: 'UTC', SALLYPORT_HOME: home.home },
    stdio: 'ignore',
  });
  daemon.unref();
  await until(() => existsSync(join(home.home, 'mcp-handshake.json')), 'the daemon answers', 60);
  return {
    setAheadSeconds,
    aheadSeconds: () => seconds,
    spawnOnTerminal: words => {
      const line = [process.execPath, '--import', clock, executable, ...words].map(word => `'${word}'`).join(' ');
      return home.spawnProgram(...lineOnTerminal(`stty cols 100 rows 40; exec ${line}`));
    },
  };
}
