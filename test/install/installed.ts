/**
 * A copy of the built project to install from, and the checks of an installed Sallyport. The copy
 * can be removed.
 */

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BridgeProcess, legacy } from '../bridge/bridge-process.ts';
import { until } from '../waiting/until.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A person's shell, as far as it matters: without this run's NODE_OPTIONS or npm settings. */
export const shell = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '/',
} as const;

export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-install-')));
  readonly home = join(this.folder, 'home');
  readonly #bridges: BridgeProcess[] = [];
  readonly #copies: string[] = [];

  /**
   * Copies what `make executable` makes and what else `make install` reads. It uses hard links,
   * since the executable is 130 MB; so the copy is on its disk, not with temporary files.
   */
  copyOfProject(): string {
    const folder = realpathSync(mkdtempSync('/var/tmp/sallyport-source-'));
    this.#copies.push(folder);
    const copy = join(folder, 'source');
    mkdirSync(join(copy, 'build'), { recursive: true });
    const words = [join(root, 'build/executable'), join(copy, 'build/executable')];
    execFileSync('sh', ['-c', 'cp -al "$@" 2>/dev/null || cp -a "$@"', 'sh', ...words]);
    cpSync(join(root, 'bridge'), join(copy, 'bridge'), { recursive: true });
    return copy;
  }

  /**
   * Runs a command to its end.
   * @throws with its output if it fails.
   */
  async run(file: string, words: readonly string[], options: { cwd?: string; env?: object } = {}): Promise<string> {
    const env = { ...shell, SALLYPORT_HOME: this.home, ...options.env };
    const { stdout } = await promisify(execFile)(file, words, { cwd: options.cwd ?? this.folder, env });
    return stdout;
  }

  /**
   * @param command started with only the home in its environment: MCP clients pass little, and some
   *   no PATH.
   */
  bridge(command: readonly string[], environment: Record<string, string | undefined> = {}): BridgeProcess {
    const bridge = new BridgeProcess(command, this.home, { PATH: undefined, HOME: undefined, ...environment });
    this.#bridges.push(bridge);
    return bridge;
  }

  /**
   * The path that a client takes: nothing runs, it starts the bridge, the bridge starts the daemon,
   * a tool answers.
   */
  async serves(command: readonly string[], environment: Record<string, string | undefined> = {}): Promise<unknown> {
    const bridge = this.bridge(command, environment);
    const { result } = await bridge.ask(
      legacy(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
      20_000,
    );
    await bridge.ask(legacy(2, 'tools/call', { name: 'list_connections', arguments: {} }));
    await bridge.stop();
    return result?.serverInfo;
  }

  /** The command line of the daemon that serves this home (Linux). */
  daemonCommand(): string {
    const { pid } = JSON.parse(readFileSync(join(this.home, 'mcp-handshake.json'), 'utf8'));
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  }

  async clean(): Promise<void> {
    await Promise.all(this.#bridges.map(bridge => bridge.stop()));
    const handshake = join(this.home, 'mcp-handshake.json');
    if (existsSync(handshake)) {
      const { pid } = JSON.parse(readFileSync(handshake, 'utf8'));
      process.kill(pid, 'SIGTERM');
      // It writes its last files after removing the handshake.
      await until(() => !isAlive(pid), 'the daemon has ended');
    }
    for (const folder of [this.folder, ...this.#copies])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
