/**
 * Compares what connections and tokens allow with what the activity log last recorded about each
 * (spec §14). If they allow more, somebody may have edited the store unobserved. What the log
 * doesn't know is reported until it is again as recorded.
 */

import { shownName } from '../../../shared/shown-text.ts';
import type { Connection } from '../connection.ts';
import type { TokenRecord } from '../tokens/token.ts';
import { isNoMore, noStanding, type Standing, standingOfConnection, standingOfToken } from './standing.ts';
import { connectionWords, tokenWords } from './standing-words.ts';

/** What a row of the log states about what something allows. */
export interface StatedRow {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The connection's or token's id; null in the row from which on all are recorded. */
  readonly id: string | null;
  readonly standing: Standing;
}

export type StandingSubject = { readonly kind: 'connection' | 'token'; readonly id: string; readonly name: string };

/** What a row says of it: words for people, values for the next start. */
export interface Stated {
  readonly reason: string;
  /** Null if the log doesn't know what was changed. */
  readonly standing: Standing | null;
}

/** The subject of such a row; null for the row from which on all are recorded. */
export type RecordStanding = (about: StandingSubject | null, stated: Stated) => void;

export interface Standings {
  /** For a change's row: the result. */
  ofConnection(connection: Connection): Stated;
  ofToken(token: TokenRecord): Stated;
  /** `what` describes what the log doesn't know. */
  unknown(): readonly { readonly about: StandingSubject; readonly what: string }[];
  /**
   * Records again what was last recorded before that time, so the log, which deletes old rows,
   * still knows it.
   */
  stateAgain(before: number): void;
}

interface StandingsOptions {
  readonly connections: { list(): readonly Connection[] };
  readonly tokens: { list(): readonly TokenRecord[] };
  /** Oldest first. */
  readonly rows: readonly StatedRow[];
  /** The secrets are newer than the store and its log, which don't know the tokens made since. */
  readonly isOlderCopy: boolean;
  readonly now: () => number;
  readonly state: RecordStanding;
}

interface Item {
  readonly about: StandingSubject;
  readonly standing: Standing;
  readonly words: string;
}

const begun: Stated = {
  reason: 'what connections and tokens allow is recorded from here on',
  standing: noStanding,
};

export function openStandings({ connections, tokens, rows, isOlderCopy, now, state }: StandingsOptions): Standings {
  const last = new Map<string | null, Omit<StatedRow, 'id'>>(rows.map(row => [row.id, row]));
  const unknown = new Set<string>();
  const hasBegun = last.has(null);
  if (!hasBegun) say(null, begun);
  for (const item of all()) {
    const { about, standing } = item;
    const recorded = last.get(about.id)?.standing;
    const isAdopted = !hasBegun || (isOlderCopy && about.kind === 'token' && recorded === undefined);
    if (isKnown(item)) {
      // Less than recorded: taken away while the log couldn't be written.
      if (recorded !== undefined && !isNoMore(recorded, standing)) again(item);
    } else if (isAdopted) again(item);
    else unknown.add(about.id);
  }

  function isKnown({ about, standing }: Item): boolean {
    const recorded = last.get(about.id);
    return recorded !== undefined && isNoMore(standing, recorded.standing);
  }

  function all(): Item[] {
    const current = tokens.list().filter(({ revokedAt }) => revokedAt === null);
    return [...connections.list().map(itemOfConnection), ...current.map(itemOfToken)];
  }

  function say(about: StandingSubject | null, stated: Stated): void {
    if (stated.standing !== null) last.set(about?.id ?? null, { standing: stated.standing, time: now() });
    state(about, stated);
  }

  function again({ about, standing, words }: Item): void {
    say(about, { reason: words, standing });
  }

  /** Otherwise an unrelated change would hide the unrecorded one. */
  function changed(item: Item): Stated {
    const { about, standing, words } = item;
    if (unknown.has(about.id) && !isKnown(item)) return { reason: words, standing: null };
    unknown.delete(about.id);
    last.set(about.id, { standing, time: now() });
    return { reason: words, standing };
  }

  return {
    ofConnection: connection => changed(itemOfConnection(connection)),
    ofToken: token => changed(itemOfToken(token)),

    unknown: () =>
      unknown.size === 0
        ? []
        : all()
            .filter(({ about }) => unknown.has(about.id))
            .map(item => ({ about: item.about, what: unknownOf(item, last.get(item.about.id)?.standing ?? null) })),

    stateAgain(before) {
      if ((last.get(null)?.time ?? before) < before) say(null, begun);
      for (const item of all())
        if (!unknown.has(item.about.id) && (last.get(item.about.id)?.time ?? before) < before) again(item);
    },
  };
}

function itemOfConnection(connection: Connection): Item {
  const { id, name } = connection;
  const about = { kind: 'connection', id, name } as const;
  return { about, standing: standingOfConnection(connection), words: connectionWords(connection) };
}

function itemOfToken(token: TokenRecord): Item {
  const { id, name } = token;
  return { about: { kind: 'token', id, name }, standing: standingOfToken(token), words: tokenWords(token) };
}

function unknownOf({ about: { kind, name }, standing, words }: Item, recorded: Standing | null): string {
  const named = JSON.stringify(shownName(name));
  if (recorded === null) return kind === 'token' ? `token ${named} (${words})` : `the connection ${named} (${words})`;
  if (kind === 'token') return `that token ${named} has: ${words}`;
  const leadsElsewhere = isNoMore({ ...standing, digest: recorded.digest }, recorded);
  return leadsElsewhere ? `where ${named} leads, or how it is reached` : `what ${named} allows now: ${words}`;
}
