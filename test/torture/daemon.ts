/**
 * The daemon of the home as a process: started as a fault wants it, timed to its first answer,
 * killed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { bin, type RealHome } from '../bridge/real-home.ts';
import { modern, send } from '../clients/http/wire.ts';
import { signalEach } from '../servers/daemons.ts';
import { until } from '../waiting/until.ts';
import { descendantsOf, isRunning } from './process-facts.ts';

const startSeconds = 20;
const endSeconds = 15;

export class DidNotStart extends Error {}

export class Daemon {
  readonly #home: RealHome;
  /** `performance.now()` of each intended end. */
  readonly ends: number[] = [];

  constructor(home: RealHome) {
    this.#home = home;
  }

  /** Of the daemon that wrote the handshake last; it may have ended. */
  get pid(): number {
    return this.#home.handshake()?.pid ?? 0;
  }

  /**
   * @param before a program with arguments that starts it, as `prlimit --nofile=64`.
   * @returns milliseconds until a client was answered.
   * @throws DidNotStart with the daemon's output.
   */
  async start(before: readonly string[] = [], environment: Record<string, string> = {}): Promise<number> {
    const began = performance.now();
    const child = this.spawn(before, environment);
    let said = '';
    child.stderr?.on('data', text => {
      said += text;
    });
    let ended = false;
    child.once('close', () => {
      ended = true;
    });
    try {
      await until(async () => ended || (await this.#answers(child)), 'the daemon answers', startSeconds);
    } catch (error) {
      throw new DidNotStart(`It answered nobody within ${startSeconds} s. ${said}`, { cause: error });
    }
    if (ended) throw new DidNotStart(said.trim());
    return performance.now() - began;
  }

  spawn(before: readonly string[] = [], environment: Record<string, string> = {}): ChildProcess {
    const [program = '', ...words] = [...before, join(bin, 'sallyportd')];
    const child = spawn(program, words, {
      env: { ...this.#home.environment, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8');
    return child;
  }

  /**
   * Ends the daemons that run now; a bridge may start the next one at once.
   * @throws if what they started doesn't end with them.
   */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const pids = this.#home.daemons();
    const started = pids.flatMap(descendantsOf);
    signalEach(pids, signal);
    this.ends.push(performance.now());
    const isThere = (pid: number): boolean => this.#home.daemons().includes(pid);
    await until(() => !pids.some(isThere), `${signal} has ended the daemon`, endSeconds);
    await until(() => !started.some(isRunning), 'what the daemon started has ended with it', endSeconds);
  }

  /** Any answer of the HTTP server counts: it may be paused. */
  async #answers(child: ChildProcess): Promise<boolean> {
    const handshake = this.#home.handshake();
    if (handshake === null || handshake.pid !== child.pid) return false;
    const { status } = await send(`http://127.0.0.1:${handshake.port}/mcp`, modern(handshake.token, 'tools/list'));
    return status > 0;
  }
}
