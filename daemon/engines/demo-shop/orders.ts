/** What the demo shop's customers did: orders with their items, payments, reviews. */

import { opinions, orderNotes, paymentMethods } from './goods.ts';
import type { Chance } from './random.ts';
import { customerCount, day, euros, type Insert, lastDay, moment, opened, type Product } from './values.ts';

const orderCount = 4_500;
const reviewCount = 1_500;
/** 2^53+1 lies among them: the first integer that a double can't hold. */
const firstPaymentId = 9_007_199_254_740_000n;

export function fillOrders(
  insert: Insert,
  chance: Chance,
  products: readonly [Product, ...Product[]],
  shipping: ReadonlyMap<number, number>,
): void {
  let payment = firstPaymentId;
  for (let id = 1; id <= orderCount; id += 1) {
    // Squared: a few customers buy most, as in life.
    const customer = 1 + Math.floor(chance.fraction() ** 2 * customerCount);
    const ordered = opened + Math.floor(((lastDay - opened) / orderCount) * id) + chance.between(0, 7_200_000);
    const status = chance.percent(6)
      ? 'cancelled'
      : id > orderCount - 60
        ? chance.pick(['pending', 'paid'])
        : chance.pick(['shipped', 'delivered', 'delivered', 'delivered']);
    const sent = status === 'shipped' || status === 'delivered';
    insert('orders', [
      BigInt(id),
      BigInt(customer),
      chance.percent(4) ? null : BigInt(shipping.get(customer) ?? 1),
      status,
      chance.percent(85) ? null : chance.pick(orderNotes),
      moment(ordered),
      sent ? moment(ordered + chance.between(1, 5) * day) : null,
    ]);
    const cents = fillItems(insert, chance, id, products);
    if (status === 'pending') continue;
    const method = chance.pick(paymentMethods);
    const reference = method === 'card' ? Buffer.from([id >> 8, id & 255, chance.between(0, 255), 0]) : null;
    const refunded = status === 'cancelled' ? moment(ordered + chance.between(1, 20) * day) : null;
    insert('payments', [
      payment,
      BigInt(id),
      method,
      euros(cents),
      'EUR',
      reference,
      moment(ordered + 60_000),
      refunded,
    ]);
    payment += 1n;
  }
}

/** @returns the order's total in cents, rounded a line at a time as `line_total` is. */
function fillItems(insert: Insert, chance: Chance, order: number, products: readonly [Product, ...Product[]]): number {
  let total = 0;
  const lines = chance.between(1, 3);
  for (let line = 1; line <= lines; line += 1) {
    const product = chance.pick(products);
    const quantity = chance.percent(75) ? 1 : chance.between(2, 6);
    const discount = chance.percent(85) ? 0 : chance.pick([5, 10, 12.5, 50]);
    insert('order_items', [
      BigInt(order),
      BigInt(line),
      BigInt(product.id),
      BigInt(quantity),
      euros(product.cents),
      discount,
    ]);
    total += Math.round(100 * Number((quantity * euros(product.cents) * (1 - discount / 100)).toFixed(2)));
  }
  return total;
}

export function fillReviews(insert: Insert, chance: Chance, products: readonly [Product, ...Product[]]): void {
  const written = new Set<string>();
  while (written.size < reviewCount) {
    const product = chance.pick(products).id;
    const customer = chance.between(1, customerCount);
    const pair = `${product}/${customer}`;
    if (written.has(pair)) continue;
    written.add(pair);
    insert('reviews', [
      BigInt(written.size),
      BigInt(product),
      BigInt(customer),
      BigInt(chance.percent(60) ? 5 : chance.between(1, 4)),
      chance.percent(25) ? null : chance.pick(opinions),
      moment(opened + chance.between(0, 1_000) * day + chance.between(0, day - 1)),
    ]);
  }
}
