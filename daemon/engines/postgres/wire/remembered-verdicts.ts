/**
 * Remembers for a short while what the catalog made of a text, for the sessions of programs: they
 * send the same few texts again and again, with other values in them. A view or function that
 * becomes another one meanwhile still meets the engine's own wall.
 */

import type { PostgresClassification } from '../../../guard/postgres/types.ts';
import type { Classified } from '../../classified.ts';
import type { Pool } from '../pool.ts';

const milliseconds = 30_000;
const most = 1_000;
const mostCharacters = 8_192;

export interface RememberedVerdicts {
  /** @param names what decides how names are resolved. */
  of(names: string, text: PostgresClassification, judge: () => Promise<Classified>): Promise<Classified>;
}

/** One memory for each database of a connection, and so for one role. */
const known = new WeakMap<Pool, RememberedVerdicts>();

export function rememberedVerdicts(pool: Pool): RememberedVerdicts {
  const verdicts = known.get(pool) ?? openVerdicts(pool.ports.now);
  known.set(pool, verdicts);
  return verdicts;
}

function openVerdicts(now: () => number): RememberedVerdicts {
  const verdicts = new Map<string, { readonly classified: Classified; readonly until: number }>();
  return {
    async of(names, text, judge) {
      const key = keyOf(names, text);
      const before = verdicts.get(key);
      if (before !== undefined && before.until > now()) return before.classified;
      const classified = await judge();
      verdicts.delete(key);
      if (classified.kind === 'failed' || key.length > mostCharacters) return classified;
      verdicts.set(key, { classified, until: now() + milliseconds });
      for (const oldest of verdicts.keys()) {
        if (verdicts.size <= most) break;
        verdicts.delete(oldest);
      }
      return classified;
    },
  };
}

/** Of a text and the names that it was judged under last. */
const keys = new WeakMap<PostgresClassification, { readonly names: string; readonly key: string }>();

/** The meaning of a text, without its values. */
function keyOf(names: string, text: PostgresClassification): string {
  const last = keys.get(text);
  if (last?.names === names) return last.key;
  const key = `${names}\0${JSON.stringify(text)}`;
  keys.set(text, { names, key });
  return key;
}
