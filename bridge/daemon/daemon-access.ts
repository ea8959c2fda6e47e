/**
 * A daemon that has proven itself, with its connections and its token. It is valid as long as the
 * control connection of the proof is open.
 */

import { type ControlLink, silence } from '../../shared/control-link.ts';
import type { Handshake } from '../../shared/handshake.ts';
import { locationsIn } from '../../shared/locations.ts';
import { newNonce } from '../../shared/proofs.ts';
import { bridgeLimits } from '../bridge-limits.ts';
import type { JsonObject } from '../client/message.ts';
import type { Connections } from './connections.ts';
import { askForProof } from './trust.ts';

/**
 * How long before a token's end its file is read again. The daemon rotates the token 15 minutes
 * before it expires (spec §5), so by then the file has a successor.
 */
const rereadBeforeExpiryMilliseconds = 5 * 60_000;
/** How often to look for the successor of a token that is about to expire. */
const rereadPauseMilliseconds = 20_000;
/**
 * How long each of two questions may stay unanswered; together they stay under 10 s. A busy daemon
 * answers in a fraction of that.
 */
const silenceMilliseconds = [6_000, 2_000];

export class DaemonAccess {
  readonly #link: ControlLink;
  readonly #home: string;
  #handshake: Handshake;
  #connections: Promise<Connections> | null = null;
  #isVoid = false;
  #discovery: JsonObject | null;
  #readAt = Date.now();
  #proving: Promise<boolean> | null = null;
  #nextProof: Promise<boolean> | null = null;
  #awaited = 0;
  #watch: NodeJS.Timeout | null = null;

  constructor(home: string, link: ControlLink, handshake: Handshake, discovery: JsonObject | null = null) {
    this.#home = home;
    this.#link = link;
    this.#handshake = handshake;
    this.#discovery = discovery;
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

  /**
   * Its connections over HTTP. They are loaded on first use: `node:http` takes 4 ms, and the first
   * answer of most sessions doesn't need it.
   */
  connections(): Promise<Connections> {
    this.#connections ??= import('./connections.ts').then(
      ({ Connections }) => new Connections(this.port, () => this.prove()),
    );
    return this.#connections;
  }

  /**
   * The facts that the daemon sent with its proof; null if it sent none, or if they are too old.
   */
  get discovery(): JsonObject | null {
    return !this.isVoid && Math.abs(Date.now() - this.#readAt) <= bridgeLimits.discoveryMilliseconds
      ? this.#discovery
      : null;
  }

  /**
   * Reads the handshake file again when the token nears its end. The wall clock tells when, as a
   * laptop may have slept past it.
   */
  async keepFresh(): Promise<void> {
    const now = Date.now();
    if (now < Date.parse(this.#handshake.expiresAt) - rereadBeforeExpiryMilliseconds) return;
    if (Math.abs(now - this.#readAt) < rereadPauseMilliseconds) return;
    await this.prove();
  }

  /**
   * Proves the daemon again and takes up the token now in the file. False: this access is void.
   * Callers share one question, but only if they were waiting when it was asked; later callers get
   * the next one. The daemon answers only a few in a row.
   */
  prove(): Promise<boolean> {
    if (this.#proving === null) return this.#putQuestion();
    this.#nextProof ??= this.#proving.then(() => {
      this.#nextProof = null;
      return this.#putQuestion();
    });
    return this.#nextProof;
  }

  #putQuestion(): Promise<boolean> {
    const proving = this.#proveNow().finally(() => {
      if (this.#proving === proving) this.#proving = null;
    });
    this.#proving = proving;
    return proving;
  }

  async #proveNow(): Promise<boolean> {
    if (this.isVoid) return false;
    const standing = await askForProof(this.#link, locationsIn(this.#home), bridgeLimits.proofMilliseconds);
    const same = standing.kind === 'proven' && standing.handshake.port === this.#handshake.port;
    if (!same || this.isVoid) {
      this.drop();
      return false;
    }
    this.#handshake = standing.handshake;
    this.#discovery = standing.discovery;
    this.#readAt = Date.now();
    return true;
  }

  /**
   * Call it with each request that waits for an answer; call its result when the answer has come.
   * Meanwhile the bridge asks the daemon whether it still lives. A stopped or hanging daemon keeps
   * its connections open, so its callers would wait for ever.
   */
  awaitAnswer(): () => void {
    this.#awaited++;
    this.#watchSoon();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#awaited--;
      if (this.#awaited > 0) return;
      if (this.#isVoid) this.#link.close();
      clearTimeout(this.#watch ?? undefined);
      this.#watch = null;
    };
  }

  #watchSoon(): void {
    this.#watch ??= setTimeout(async () => {
      const lives = await this.#isAlive();
      this.#watch = null;
      if (!lives) this.#abandon();
      else if (this.#awaited > 0 && !this.#link.closed) this.#watchSoon();
    }, bridgeLimits.watchMilliseconds);
  }

  /** Asks twice: after a sleep, the first question's time is over before its answer is read. */
  async #isAlive(): Promise<boolean> {
    for (const milliseconds of silenceMilliseconds) {
      if (this.#link.closed || this.#awaited === 0) return true;
      const answer = await this.#link.identify(newNonce(), milliseconds);
      if (answer !== null && answer !== silence) return true;
    }
    return this.#link.closed || this.#awaited === 0;
  }

  /** Gives up a daemon that hangs: every open request fails now. */
  #abandon(): void {
    this.drop();
    this.#link.close();
    void this.#connections?.then(connections => connections.abandon());
  }

  /** Takes no new request. Those that wait for an answer are watched until it comes. */
  drop(): void {
    this.#isVoid = true;
    if (this.#awaited === 0) this.#link.close();
    void this.#connections?.then(connections => connections.close());
  }
}
