/**
 * A daemon that has proven itself: its connections and its token, as long as the control connection
 * of the proof stands.
 */

import type { ControlLink } from '../../shared/control-link.ts';
import type { Handshake } from '../../shared/handshake.ts';
import { locationsIn } from '../../shared/locations.ts';
import { newNonce } from '../../shared/proofs.ts';
import { bridgeLimits } from '../bridge-limits.ts';
import type { JsonObject } from '../client/message.ts';
import type { Connections } from './connections.ts';
import { askForProof } from './trust.ts';

/**
 * The token is rotated 15 minutes before it expires (spec §5), so a file this close to it has a
 * successor to be read.
 */
const rereadBeforeExpiryMilliseconds = 5 * 60_000;
/** How often a token that is about to expire, but has no successor yet, is looked after. */
const rereadPauseMilliseconds = 20_000;
/**
 * How long each of two such questions may stay unanswered; in sum it is said within 10 s. A busy
 * daemon answers in a fraction.
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
   * Loaded when there is something to send: `node:http` takes 4 ms, and the first answer of most
   * sessions needs none of it.
   */
  connections(): Promise<Connections> {
    this.#connections ??= import('./connections.ts').then(
      ({ Connections }) => new Connections(this.port, () => this.prove()),
    );
    return this.#connections;
  }

  /**
   * What the daemon told beside its proof; null where it told nothing, or longer ago than it may be
   * believed.
   */
  get discovery(): JsonObject | null {
    return !this.isVoid && Math.abs(Date.now() - this.#readAt) <= bridgeLimits.discoveryMilliseconds
      ? this.#discovery
      : null;
  }

  /**
   * Reads the file again once its token nears its end, by the wall clock: a laptop may have slept
   * past it.
   */
  async keepFresh(): Promise<void> {
    const now = Date.now();
    if (now < Date.parse(this.#handshake.expiresAt) - rereadBeforeExpiryMilliseconds) return;
    if (Math.abs(now - this.#readAt) < rereadPauseMilliseconds) return;
    await this.prove();
  }

  /**
   * Proves anew and takes up the token now in the file. False, and this access is void. A question
   * that was put before somebody asked is none of theirs; the next one is for all who wait by then,
   * since the daemon answers few in a row at once.
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
    const standing = await askForProof(this.#link, locationsIn(this.#home), bridgeLimits.identifyMilliseconds);
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
   * To be called with each request that is owed an answer, its result once that has come. Meanwhile
   * the daemon is asked whether it still lives: one that was stopped, or hangs, keeps its
   * connections and would keep whoever waits for ever.
   */
  awaitAnswer(): () => void {
    this.#awaited++;
    this.#watchSoon();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#awaited--;
      if (this.#awaited > 0 || this.#watch === null) return;
      clearTimeout(this.#watch);
      this.#watch = null;
    };
  }

  #watchSoon(): void {
    this.#watch ??= setTimeout(async () => {
      const lives = await this.#isAlive();
      this.#watch = null;
      if (!lives) this.#abandon();
      else if (this.#awaited > 0 && !this.isVoid) this.#watchSoon();
    }, bridgeLimits.watchMilliseconds);
  }

  /** Asked twice: after a sleep the first question's time is over before its answer is read. */
  async #isAlive(): Promise<boolean> {
    for (const milliseconds of silenceMilliseconds) {
      if (this.isVoid || this.#awaited === 0) return true;
      if ((await this.#link.identify(newNonce(), milliseconds)) !== null) return true;
    }
    return this.isVoid || this.#awaited === 0;
  }

  /** Every request under way fails here and now. */
  #abandon(): void {
    this.drop();
    void this.#connections?.then(connections => connections.abandon());
  }

  drop(): void {
    this.#isVoid = true;
    this.#link.close();
    void this.#connections?.then(connections => connections.close());
  }
}
