/**
 * How what stands was confirmed (spec §11), by connection, token and setting. What was given while
 * the owner passphrase was off is marked until its person keeps it or takes it back: another
 * passphrase afterwards says nothing about it. Changes no access itself.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { aiPolicies, externalClientsLevels } from '../connection.ts';

/** What a connection let clients do before. */
const connectionBefore = z.object({
  externalClients: z.object({ level: z.enum(externalClientsLevels), writeUntil: z.string().nullable() }),
  aiPolicy: z.enum(aiPolicies),
  databases: z.enum(['own', 'all']),
  writeRowLimit: z.number().nullable(),
  /** If it is another one by now, the connection leads elsewhere, or has another secret. */
  revision: z.number(),
});
export type ConnectionBefore = z.infer<typeof connectionBefore>;

const grant = z.object({
  kind: z.enum(['connection', 'token', 'setting']),
  /** The id of a connection or token, or the setting's key. */
  id: z.string(),
  /** `off`: nobody could confirm it, the passphrase was off. `unattended`: the home was made so. */
  confirmedBy: z.enum(['passphrase', 'touchId', 'app', 'off', 'unattended']),
  /** ISO 8601: the latest. */
  at: z.string(),
  /** What it gave; each completes "This …". The first and the latest. */
  phrases: z.array(z.string()),
  /** Before the first of them; null for what was made by it. */
  before: z.union([connectionBefore, z.string(), z.number(), z.boolean()]).nullable(),
});
export type Grant = z.infer<typeof grant>;

export interface GrantStore {
  /** What `save` got; null if there is none. */
  load(): Promise<string | null>;
  save(text: string): Promise<void>;
}

export interface Grants {
  note(given: Omit<Grant, 'phrases'> & { readonly phrase: string }): Promise<void>;
  /** Null if it needed no confirmation. */
  of(kind: Grant['kind'], id: string): Grant | null;
  unconfirmed(): readonly Grant[];
  /** Its person has kept them. @param confirmedBy how. */
  keep(kept: readonly Grant[], confirmedBy: Grant['confirmedBy']): Promise<void>;
  forget(gone: readonly Grant[]): Promise<void>;
}

const mostPhrases = 4;
/** If there are more, the oldest that somebody confirmed are forgotten. */
const mostGrants = 1_000;

export function isUnconfirmed({ confirmedBy }: Pick<Grant, 'confirmedBy'>): boolean {
  return confirmedBy === 'off' || confirmedBy === 'unattended';
}

export async function loadGrants(store: GrantStore): Promise<Grants> {
  const read = z.array(grant).safeParse(parsedJson((await store.load()) ?? '[]'));
  const keyOf = ({ kind, id }: Pick<Grant, 'kind' | 'id'>): string => `${kind} ${id}`;
  let grants = new Map((read.data ?? []).map(each => [keyOf(each), each]));

  async function keepAll(next: typeof grants): Promise<void> {
    const confirmed = [...next.values()].filter(each => !isUnconfirmed(each));
    for (const oldest of confirmed.slice(0, Math.max(0, next.size - mostGrants))) next.delete(keyOf(oldest));
    await store.save(JSON.stringify([...next.values()]));
    grants = next;
  }

  return {
    async note({ phrase, ...given }) {
      const known = grants.get(keyOf(given));
      const isMarked = known !== undefined && isUnconfirmed(known);
      // Confirmed was this one alone.
      if (isMarked && !isUnconfirmed(given)) return;
      const phrases = isMarked ? [...known.phrases.slice(0, mostPhrases - 1), phrase] : [phrase];
      const next = new Map(grants);
      next.delete(keyOf(given));
      next.set(keyOf(given), { ...given, phrases, before: isMarked ? known.before : given.before });
      await keepAll(next);
    },
    of: (kind, id) => grants.get(keyOf({ kind, id })) ?? null,
    unconfirmed: () => [...grants.values()].filter(isUnconfirmed),
    async keep(kept, confirmedBy) {
      const next = new Map(grants);
      for (const each of kept) next.set(keyOf(each), { ...each, confirmedBy });
      await keepAll(next);
    },
    async forget(gone) {
      const next = new Map(grants);
      for (const each of gone) next.delete(keyOf(each));
      await keepAll(next);
    },
  };
}
