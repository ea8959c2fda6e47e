/** The setup of each bridge test: a temporary folder; everything in it is removed at the end. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeProcess, installBridge } from './bridge-process.ts';
import { TestPeer } from './test-peer.ts';

export class Scratch {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-bridge-')));
  readonly #undo: (() => Promise<void> | void)[] = [];

  get home(): string {
    return join(this.folder, 'home');
  }

  async peer(): Promise<TestPeer> {
    const peer = new TestPeer(this.home);
    this.onEnd(() => peer.stop());
    return peer.start();
  }

  /**
   * @param daemonScript the text of the sallyportd beside it, or null for an install without one.
   */
  bridge(daemonScript: string | null = null, environment: Record<string, string> = {}): BridgeProcess {
    return this.bridges(1, daemonScript, environment)[0] as BridgeProcess;
  }

  /** Several from one install, started at the same moment. */
  bridges(count: number, daemonScript: string | null, environment: Record<string, string> = {}): BridgeProcess[] {
    const main = installBridge(join(this.folder, 'install'), daemonScript);
    return Array.from({ length: count }, () => {
      const bridge = new BridgeProcess([process.execPath, main], this.home, environment);
      this.onEnd(() => bridge.stop());
      return bridge;
    });
  }

  onEnd(undo: () => Promise<void> | void): void {
    this.#undo.unshift(undo);
  }

  async clean(): Promise<void> {
    for (const undo of this.#undo.splice(0)) await undo();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
