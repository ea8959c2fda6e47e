/** A home of its own for the built commands, its daemon started by whoever asks and stopped at the end. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Handshake, readHandshake } from '../../shared/handshake.ts';
import { locationsIn } from '../../shared/locations.ts';
import { daemonsOf } from '../servers/daemons.ts';
import { BridgeProcess, pause } from './bridge-process.ts';

export const bin = join(import.meta.dirname, '..', '..', 'build', 'bin');
export const bridgeCommand = join(bin, 'sallyport-mcp');

export class RealHome {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-journey-')));
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly daemons: () => number[];
  readonly #bridges: BridgeProcess[] = [];

  /**
   * @param pathBytes how long the home's path is made, for one no Unix socket fits into.
   * @param name the last part of that path, before it is made longer.
   */
  constructor(pathBytes = 0, name = 'home') {
    const shortest = join(this.folder, name);
    const home = shortest + 'x'.repeat(Math.max(0, pathBytes - Buffer.byteLength(shortest)));
    this.home = home;
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

  handshake(): Handshake | null {
    const read = readHandshake(locationsIn(this.home).handshake);
    return read.kind === 'read' ? read.handshake : null;
  }

  async clean(): Promise<void> {
    await Promise.all(this.#bridges.map(bridge => bridge.stop()));
    // One that is just starting has no handshake yet, so it is looked for by its environment too.
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const pid of this.daemons()) process.kill(pid, signal);
      for (let tries = 0; this.daemons().length > 0 && tries < 60; tries++) await pause(100);
    }
    const { controlSocketFolder } = locationsIn(this.home);
    if (controlSocketFolder !== this.home) rmSync(controlSocketFolder, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
