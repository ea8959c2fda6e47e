/** The demo shop's rows, drawn from its lists by seeded chance alone: no clock, the same every time. */

import { fillCustomers } from './customers.ts';
import { fillOrders, fillReviews } from './orders.ts';
import { fillProducts } from './products.ts';
import { seededChance } from './random.ts';
import type { Insert } from './values.ts';

export function fillShop(insert: Insert): void {
  const chance = seededChance(20_260_728);
  const products = fillProducts(insert, chance);
  const addresses = fillCustomers(insert, chance);
  fillOrders(insert, chance, products, addresses);
  fillReviews(insert, chance, products);
}
