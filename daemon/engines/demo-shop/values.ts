/** What the demo shop's rows are made of: values as the driver binds them, prices and dates as the shop writes them. */

/** Numbers with a fraction are bound as REAL, bigints as INTEGER. */
export type Value = string | number | bigint | Buffer | null;
/** In column order; `order_items` without its generated column. */
export type Insert = (table: string, row: readonly Value[]) => void;

/** What later rows need to know of a product. */
export interface Product {
  readonly id: number;
  readonly cents: number;
}

export const day = 86_400_000;
/** The shop's first and last days of business, milliseconds. */
export const opened = Date.UTC(2023, 0, 2, 8);
export const lastDay = Date.UTC(2025, 11, 31);
export const customerCount = 2_000;

/** Whole cents, so that no sum of prices drifts before it is stored. */
export function euros(cents: number): number {
  return cents / 100;
}

/** As SQLite's own date functions write it, UTC. */
export function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
