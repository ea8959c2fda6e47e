/**
 * Keeps in the store what servers have shown at sign-ins (spec §6), each under a seal with its
 * place: another program may edit the store. Holds no password.
 */

import * as z from 'zod';
import { methodClasses } from '../../../shared/words.ts';
import type { KnownServerStore } from '../../access/known-servers.ts';
import { type SealOf, sealed, unsealed } from '../sealed-text.ts';
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
 * A record that can't be read, or isn't as we wrote it, counts as a server that proved everything:
 * forgetting it would let anybody take the place.
 */
const unreadable = {
  isEncrypted: true,
  method: 'proves_line',
  keys: [],
  socketOwner: -1,
  address: null,
  since: null,
} as const;

export function knownServersIn({ knex, write }: Pick<Store, 'knex' | 'write'>, sealOf: SealOf): KnownServerStore {
  const kindOf = (place: string): string => `known-server ${place}`;
  return {
    async load() {
      const rows: Row[] = await knex('known_servers').select('place', 'record');
      return new Map(
        rows.map(({ place, record }) => {
          const known = shape.safeParse(unsealed(sealOf, kindOf(place), record)).data;
          return [place, known ?? unreadable] as const;
        }),
      );
    },
    async keep(place, known) {
      await write(
        knex('known_servers')
          .insert({ place, record: sealed(sealOf, kindOf(place), known) })
          .onConflict('place')
          .merge(),
      );
    },
    async forget(places) {
      await write(knex('known_servers').whereIn('place', places).delete());
    },
  };
}
