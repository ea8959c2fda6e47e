/** Keeps in the store what servers have shown at sign-ins (spec §6). Holds no password. */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { methodClasses } from '../../../shared/words.ts';
import type { KnownServerStore } from '../../access/known-servers.ts';
import type { Store } from './store.ts';

interface Row {
  readonly place: string;
  readonly record: string;
}

const shape = z.object({
  isEncrypted: z.boolean(),
  method: z.enum(methodClasses),
  keys: z.array(z.string()),
  socketOwner: z.number().nullable(),
  address: z.string().nullable(),
  since: z.iso.datetime().nullable(),
});

/**
 * A record that can't be read counts as a server that proved everything: forgetting it would let
 * anybody take the place.
 */
const unreadable = {
  isEncrypted: true,
  method: 'proves_line',
  keys: [],
  socketOwner: -1,
  address: null,
  since: null,
} as const;

export function knownServersIn({ knex, write }: Pick<Store, 'knex' | 'write'>): KnownServerStore {
  return {
    async load() {
      const rows: Row[] = await knex('known_servers').select('place', 'record');
      return new Map(
        rows.map(({ place, record }) => [place, shape.safeParse(parsedJson(record)).data ?? unreadable] as const),
      );
    },
    async keep(place, known) {
      await write(
        knex('known_servers')
          .insert({ place, record: JSON.stringify(known) })
          .onConflict('place')
          .merge(),
      );
    },
    async forget(places) {
      await write(knex('known_servers').whereIn('place', places).delete());
    },
  };
}
