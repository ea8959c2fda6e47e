/** The demo shop's customers and their addresses, from the lists of `people.ts`. */

import { regions } from './people.ts';
import type { Chance } from './random.ts';
import { customerCount, day, type Insert, moment, opened } from './values.ts';

/** @returns each customer's shipping address, by customer id. */
export function fillCustomers(insert: Insert, chance: Chance): ReadonlyMap<number, number> {
  const shipping = new Map<number, number>();
  let address = 0;
  for (let id = 1; id <= customerCount; id += 1) {
    const home = chance.pick(regions);
    const names = [chance.pick(home.given), chance.pick(home.family)];
    insert('customers', [
      BigInt(id),
      home.familyFirst ? names.reverse().join('') : names.join(' '),
      `${home.latin}.${id}@example.com`,
      chance.percent(30)
        ? null
        : `+${chance.between(1, 99)} ${chance.between(100, 999)} ${chance.between(10_000, 99_999)}`,
      home.language,
      chance.percent(40) ? null : moment(Date.UTC(1940, 0, 1) + chance.between(0, 24_000) * day).slice(0, 10),
      BigInt(chance.percent(35) ? 1 : 0),
      moment(opened - chance.between(1, 700) * day + chance.between(0, day - 1)),
    ]);
    for (const kind of chance.percent(30) ? ['billing', 'shipping'] : ['shipping']) {
      address += 1;
      const postalCode = chance.percent(5) ? null : String(chance.between(0, 99_999)).padStart(5, '0');
      const street = `${chance.pick(home.streets)} ${chance.between(1, 240)}`;
      insert('addresses', [
        BigInt(address),
        BigInt(id),
        kind,
        street,
        chance.pick(home.cities),
        postalCode,
        home.country,
      ]);
    }
    shipping.set(id, address);
  }
  return shipping;
}
