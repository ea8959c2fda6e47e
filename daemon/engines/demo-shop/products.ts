/** The demo shop's categories and products, from the lists of `goods.ts`. */

import { categoryTree, colours, makes } from './goods.ts';
import { thumbnail } from './picture.ts';
import type { Chance } from './random.ts';
import { day, euros, type Insert, moment, opened, type Product } from './values.ts';

export function fillProducts(insert: Insert, chance: Chance): [Product, ...Product[]] {
  const products: Product[] = [];
  let category = 0;
  const addCategory = (parent: number | null, name: string): number => {
    category += 1;
    const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    insert('categories', [BigInt(category), parent === null ? null : BigInt(parent), name, slug]);
    return category;
  };
  const addProduct = (categoryId: number, name: string, description: string | null): void => {
    const id = products.length + 1;
    const cents = chance.between(150, 24_999);
    products.push({ id, cents });
    insert('products', [
      BigInt(id),
      BigInt(categoryId),
      `SKU-${String(id).padStart(5, '0')}`,
      name,
      description,
      euros(cents),
      chance.percent(10) ? null : chance.between(20, 9_000) / 1000,
      BigInt(chance.percent(8) ? 0 : chance.between(1, 400)),
      BigInt(chance.percent(5) ? 1 : 0),
      chance.percent(15) ? null : thumbnail(chance),
      moment(opened - chance.between(1, 400) * day),
    ]);
  };
  for (const [top, groups] of Object.entries(categoryTree)) {
    const topId = addCategory(null, top);
    for (const [group, things] of Object.entries(groups)) {
      const groupId = addCategory(topId, group);
      for (const thing of things) {
        for (let variant = 0; variant < 8; variant += 1) {
          const colour = chance.pick(colours);
          addProduct(groupId, `${makes[variant]} ${thing}`, chance.percent(20) ? null : `${thing}, ${colour}`);
        }
      }
    }
  }
  return [products[0] ?? { id: 1, cents: 100 }, ...products.slice(1)];
}
