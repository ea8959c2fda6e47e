/** A daemon that has proven itself: its connections and its token, as long as the control connection of the proof stands. */

import type { Handshake } from '../shared/handshake.ts';
import { locationsIn } from '../shared/locations.ts';
import type { ControlLink } from './control-link.ts';
import { bridgeLimits } from './limits.ts';
import { ProvenAgent } from './proven-agent.ts';
import { askForProof } from './trust.ts';

export class DaemonAccess {
  readonly agent: ProvenAgent;
  readonly #link: ControlLink;
  readonly #home: string;
  #handshake: Handshake;
  #isVoid = false;
  #readAt = Date.now();

  constructor(home: string, link: ControlLink, handshake: Handshake) {
    this.#home = home;
    this.#link = link;
    this.#handshake = handshake;
    this.agent = new ProvenAgent(() => this.prove(), bridgeLimits.maxConnections);
    link.onClose(() => this.drop());
  }

  get isVoid(): boolean {
    return this.#isVoid || this.#link.closed;
  }

  get port(): number {
    return this.#handshake.port;
  }

  get token(): string {
    return this.#handshake.token;
  }

  /** Reads the file again once its token nears its end, by the wall clock: a laptop may have slept past it. */
  async keepFresh(): Promise<void> {
    const now = Date.now();
    if (now < Date.parse(this.#handshake.expiresAt) - bridgeLimits.rereadBeforeExpiryMilliseconds) return;
    if (Math.abs(now - this.#readAt) < bridgeLimits.rereadPauseMilliseconds) return;
    await this.prove();
  }

  /** Proves anew and takes up the token now in the file. False, and this access is void. */
  async prove(): Promise<boolean> {
    if (this.isVoid) return false;
    const standing = await askForProof(this.#link, locationsIn(this.#home), bridgeLimits.identifyMilliseconds);
    const same = standing.kind === 'proven' && standing.handshake.port === this.#handshake.port;
    if (!same || this.isVoid) {
      this.drop();
      return false;
    }
    this.#handshake = standing.handshake;
    this.#readAt = Date.now();
    return true;
  }

  drop(): void {
    this.#isVoid = true;
    this.#link.close();
    this.agent.dropIdle();
  }
}
