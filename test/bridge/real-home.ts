/**
 * A home for the built commands, where nothing needs confirmation. A test starts its daemon; the
 * end stops it.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Handshake, readHandshake } from '../../shared/handshake.ts';
import { locationsIn } from '../../shared/locations.ts';
import { daemonsOf, signalEach } from '../servers/daemons.ts';
import { freePort } from '../servers/free-port.ts';
import { runHere } from '../shell-terminal/in-process.ts';
import { beginUnattended } from '../unattended-home.mjs';
import { until } from '../waiting/until.ts';
import { BridgeProcess } from './bridge-process.ts';

export const bin = join(import.meta.dirname, '..', '..', 'build', 'bin');
export const bridgeCommand = join(bin, 'sallyport-mcp');

export class RealHome {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-journey-')));
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly daemons: () => number[];
  readonly #bridges: BridgeProcess[] = [];

  /**
   * @param pathBytes length of the home's path, for one that is too long for a Unix socket.
   * @param name the last part of that path, before it is made longer.
   */
  constructor(pathBytes = 0, name = 'home') {
    const shortest = join(this.folder, name);
    const home = shortest + 'x'.repeat(Math.max(0, pathBytes - Buffer.byteLength(shortest)));
    this.home = home;
    beginUnattended(home);
    this.daemons = daemonsOf(home);
    this.environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', SALLYPORT_HOME: home };
  }

  bridge(): BridgeProcess {
    const bridge = new BridgeProcess([bridgeCommand], this.home);
    this.#bridges.push(bridge);
    return bridge;
  }

  sallyport(...words: string[]): string {
    return execFileSync(join(bin, 'sallyport'), words, { env: this.environment, encoding: 'utf8', stdio: 'pipe' });
  }

  /**
   * Runs the command in this process, to set something up or to look, when the command itself isn't
   * tested.
   */
  async here(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runHere(words, { environment: this.environment, cwd: this.folder });
    if (code !== 0) throw new Error(`sallyport ${words.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /**
   * Moves the daemon to a port that no other test's daemon takes when it is free: theirs all start
   * at the default one.
   */
  async moveToOwnPort(): Promise<number> {
    const port = await freePort();
    await this.here('settings', 'set', 'port', String(port));
    if (this.handshake()?.port !== port) throw new Error(`The daemon did not move to port ${port}.`);
    return port;
  }

  handshake(): Handshake | null {
    const read = readHandshake(locationsIn(this.home).handshake);
    return read.kind === 'read' ? read.handshake : null;
  }

  /**
   * Ends its daemons. A daemon that is starting has no handshake yet, so they are found by their
   * environment.
   */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    signalEach(this.daemons(), signal);
    await until(() => this.daemons().length === 0, `${signal} has ended the daemon`, 10);
  }

  async clean(): Promise<void> {
    await Promise.all(this.#bridges.map(bridge => bridge.stop()));
    await this.end('SIGTERM').catch(() => this.end('SIGKILL'));
    const { controlSocketFolder } = locationsIn(this.home);
    if (controlSocketFolder !== this.home) rmSync(controlSocketFolder, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
