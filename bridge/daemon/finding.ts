/**
 * Finds the daemon, and launches it if necessary (spec §2). All waiting requests share one search.
 */

import type { Launch } from '../../shared/launch.ts';
import { locationsIn } from '../../shared/locations.ts';
import { unusableHome } from '../../shared/usable-home.ts';
import { bridgeLimits } from '../bridge-limits.ts';
import type { JsonObject } from '../client/message.ts';
import { elapsedMilliseconds } from '../elapsed.ts';
import {
  busy,
  type Failure,
  foreignHome,
  incompatible,
  notRunning,
  outdated,
  slowStart,
  switchedOff,
  unprovenDaemon,
} from '../failures.ts';
import { DaemonAccess } from './daemon-access.ts';
import { type DaemonStanding, lookForDaemon } from './trust.ts';

/** How often to look for a daemon that was launched (spec §2). */
const launchPollMilliseconds = 200;

interface Search {
  /** Null until the first look has ended. */
  standing: DaemonStanding | null;
  launch: Launch | null;
}

type Found =
  | { readonly kind: 'found'; readonly access: DaemonAccess }
  | { readonly kind: 'failed'; readonly failure: Failure };

export class Finder {
  readonly #home: string;
  readonly #launch: () => Promise<Launch>;
  #access: DaemonAccess | null = null;
  #ahead: Promise<void> | null = null;
  #search: Promise<Found> | null = null;
  /** What the search that goes on has found so far. */
  #soFar: Search | null = null;

  /** @param launch starts the daemon without waiting for it; called at most once per search. */
  constructor(home: string, launch: () => Promise<Launch>) {
    this.#home = home;
    this.#launch = launch;
  }

  /** Proves the daemon ahead of the first request. Launches nothing. */
  lookAhead(): void {
    const done = () => {
      this.#ahead = null;
    };
    // An unexpected failure is ignored here. It will fail again, and be reported, when a request
    // needs the daemon.
    this.#ahead = this.#look(bridgeLimits.aheadMilliseconds).then(done, done);
  }

  /** True if a proven daemon is known; doesn't look again. */
  get isFound(): boolean {
    return this.#access !== null && !this.#access.isVoid;
  }

  /**
   * The facts from a fresh proof, in the form of `server/discover`; null if the daemon must be
   * asked.
   */
  async discovery(): Promise<JsonObject | null> {
    if (this.#ahead !== null) await this.#ahead;
    return this.#access?.discovery ?? null;
  }

  /**
   * The proven daemon, or why there is none.
   * @param deadline on `elapsedMilliseconds()`; asking again for the same request doesn't extend
   *   it.
   */
  async find(deadline: number): Promise<Found> {
    if (this.#ahead !== null) await this.#ahead;
    // The end of a control connection must be noticed before its daemon is asked, which takes a
    // whole turn of the event loop. The present turn may have begun before that end, as when a
    // stopped process wakes up, so two are waited for.
    for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve));
    const access = this.#access;
    if (access !== null && !access.isVoid) {
      await access.keepFresh();
      if (!access.isVoid) return { kind: 'found', access };
    }
    this.#search ??= this.#searchAndLaunch(deadline).finally(() => {
      this.#search = null;
      this.#soFar = null;
    });
    return this.#search;
  }

  /**
   * Why a request that can wait no longer has no daemon. The search goes on for the others.
   * @param seconds how long it waited.
   */
  failureSoFar(seconds: number): Failure {
    const { standing = null, launch = null } = this.#soFar ?? {};
    const isStarting = launch?.kind === 'started' && launch.ending() === null;
    if (standing?.kind === 'untrusted' && !isStarting) return this.#notFound(standing, launch);
    const isThere = standing === null || standing.kind === 'silent';
    return busy(isThere && !isStarting ? 'busy' : 'starting', seconds);
  }

  async #searchAndLaunch(deadline: number): Promise<Found> {
    const remaining = () => deadline - elapsedMilliseconds();
    const soFar: Search = { standing: null, launch: null };
    this.#soFar = soFar;
    let standing = await this.#look(remaining());
    for (;;) {
      soFar.standing = standing;
      const { launch } = soFar;
      const settled = this.#settled(standing);
      if (settled !== null) return settled;
      // After a failed launch there is nothing to wait for. Two looks, because another process may
      // be starting the daemon too.
      const isThere = standing.kind === 'starting' || standing.kind === 'silent';
      const isOver = launch?.kind === 'failed' || (!isThere && launch?.ending()?.isFailure === true);
      if (isOver || remaining() <= launchPollMilliseconds) break;
      if (launch === null && !isThere) soFar.launch = await this.#launch();
      await new Promise(resolve => setTimeout(resolve, launchPollMilliseconds));
      standing = await this.#look(Math.max(remaining(), 1));
    }
    return { kind: 'failed', failure: this.#notFound(standing, soFar.launch) };
  }

  async #look(timeoutMilliseconds: number): Promise<DaemonStanding> {
    const { standing, link } = await lookForDaemon(this.#home, timeoutMilliseconds);
    if (standing.kind === 'proven' && link !== null) {
      this.#access = new DaemonAccess(this.#home, link, standing.handshake, standing.discovery);
    }
    return standing;
  }

  #settled(standing: DaemonStanding): Found | null {
    switch (standing.kind) {
      case 'proven': {
        const access = this.#access;
        return access === null || access.isVoid ? null : { kind: 'found', access };
      }
      case 'off':
        return { kind: 'failed', failure: switchedOff };
      case 'outdated':
        return { kind: 'failed', failure: outdated(standing.offered) };
      case 'incompatible':
        return { kind: 'failed', failure: incompatible(standing.running) };
      case 'starting':
      case 'absent':
      case 'silent':
      case 'untrusted':
        return null;
    }
  }

  #notFound(standing: DaemonStanding, launch: Launch | null): Failure {
    const foreign = standing.kind === 'untrusted' ? unusableHome(this.#home) : null;
    if (foreign !== null) return foreignHome(foreign);
    if (standing.kind === 'untrusted') return unprovenDaemon(standing.problem, locationsIn(this.#home).handshake);
    if (standing.kind === 'silent') return busy('busy', 10);
    if (standing.kind === 'starting')
      return notRunning('it answers, but its handshake file is missing: run `sallyport stop` first');
    if (launch === null) return notRunning(null);
    return notRunning(
      launch.kind === 'failed' ? launch.problem : (launch.ending()?.sentence ?? slowStart(process.platform)),
    );
  }
}
