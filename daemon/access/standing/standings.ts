/**
 * Compares what connections and tokens allow with what the activity log last recorded about each
 * (spec §14). If they differ, somebody may have edited the store unobserved. What the log doesn't
 * know is reported until it is again as recorded.
 */

import { shownName } from '../../../shared/shown-text.ts';
import type { Connection } from '../connection.ts';
import type { TokenRecord } from '../tokens/token.ts';
import { isNoMore, type Standing, standingIn, standingOfConnection, standingOfToken, standingText } from './words.ts';

/** A row of the log that states what something allows. */
export interface StatedRow {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The connection's or token's id; null in the row from which on all are recorded. */
  readonly id: string | null;
  readonly reason: string | null;
}

export type Stated = { readonly kind: 'connection' | 'token'; readonly id: string; readonly name: string };

/** The subject of such a row, and its reason; null for the row from which on all are recorded. */
export type State = (about: Stated | null, reason: string) => void;

export interface Standings {
  /**
   * For a change's row: the result, with its state unless the log doesn't know what was changed.
   */
  ofConnection(connection: Connection): string;
  ofToken(token: TokenRecord): string;
  /** `what` describes what the log doesn't know. */
  unknown(): readonly { readonly about: Stated; readonly what: string }[];
  /**
   * Records again what was last recorded before that time, so the log, which deletes old rows,
   * still knows it.
   */
  stateAgain(before: number): void;
}

interface StandingsOptions {
  readonly connections: { list(): readonly Connection[] };
  readonly tokens: { list(): readonly TokenRecord[] };
  /** In any order. */
  readonly rows: readonly StatedRow[];
  /** The secrets are newer than the store and its log, which don't know the tokens made since. */
  readonly isOlderCopy: boolean;
  readonly now: () => number;
  readonly state: State;
}

const begun = 'what connections and tokens allow is recorded from here on (state 0000000000000000)';

export function openStandings({ connections, tokens, rows, isOlderCopy, now, state }: StandingsOptions): Standings {
  const last = new Map<string | null, Standing & { readonly number: number; readonly time: number }>();
  for (const { number, time, id, reason } of rows) {
    const standing = standingIn(reason);
    if (standing !== null && number > (last.get(id)?.number ?? -1)) last.set(id, { ...standing, number, time });
  }
  const unknown = new Set<string>();
  const hasBegun = last.has(null);
  if (!hasBegun) say(null, begun);
  for (const item of all()) {
    const { about, standing } = item;
    if (isKnown(about.id, standing)) continue;
    const isAdopted = !hasBegun || (isOlderCopy && about.kind === 'token' && !last.has(about.id));
    if (isAdopted) again(item);
    else unknown.add(about.id);
  }

  function isKnown(id: string, standing: Standing): boolean {
    const recorded = last.get(id);
    return recorded !== undefined && isNoMore(standing, recorded);
  }

  function all(): { readonly about: Stated; readonly standing: Standing }[] {
    return [
      ...connections.list().map(connection => ({
        about: { kind: 'connection' as const, id: connection.id, name: connection.name },
        standing: standingOfConnection(connection),
      })),
      ...tokens
        .list()
        .filter(({ revokedAt }) => revokedAt === null)
        .map(token => ({
          about: { kind: 'token' as const, id: token.id, name: token.name },
          standing: standingOfToken(token),
        })),
    ];
  }

  function say(about: Stated | null, reason: string): void {
    const standing = standingIn(reason);
    if (standing !== null) last.set(about?.id ?? null, { ...standing, number: Number.MAX_SAFE_INTEGER, time: now() });
    state(about, reason);
  }

  function again({ about, standing }: ReturnType<typeof all>[number]): void {
    say(about, standingText(standing));
  }

  /** Otherwise an unrelated change would hide the unrecorded one. */
  function changed(id: string, standing: Standing): string {
    if (unknown.has(id) && !isKnown(id, standing)) return standing.words;
    unknown.delete(id);
    last.set(id, { ...standing, number: Number.MAX_SAFE_INTEGER, time: now() });
    return standingText(standing);
  }

  return {
    ofConnection: connection => changed(connection.id, standingOfConnection(connection)),
    ofToken: token => changed(token.id, standingOfToken(token)),

    unknown: () =>
      unknown.size === 0
        ? []
        : all().flatMap(({ about, standing }) => {
            if (!unknown.has(about.id)) return [];
            return [{ about, what: unknownOf(about, standing, last.get(about.id)?.words ?? null) }];
          }),

    stateAgain(before) {
      if ((last.get(null)?.time ?? before) < before) say(null, begun);
      for (const item of all())
        if (!unknown.has(item.about.id) && (last.get(item.about.id)?.time ?? before) < before) again(item);
    },
  };
}

/** @param recorded the last recorded words; null if there are none. */
function unknownOf({ kind, name }: Stated, { words }: Standing, recorded: string | null): string {
  const named = JSON.stringify(shownName(name));
  if (recorded === null) return kind === 'token' ? `token ${named} (${words})` : `the connection ${named} (${words})`;
  if (kind === 'token') return `that token ${named} has: ${words}`;
  return recorded === words ? `where ${named} leads, or how it is reached` : `what ${named} allows now: ${words}`;
}
