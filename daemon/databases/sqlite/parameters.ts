/**
 * Positional values for `?` and `?1`, in the two shapes the driver wants them. JavaScript numbers that are integers
 * are bound as INTEGER (the driver alone would bind REAL), booleans as 0 and 1. An integer beyond 2^53 comes as text
 * and stays text: comparing it with an INTEGER column works by that column's affinity; elsewhere write a CAST.
 */

import type { DatabaseFailure, Parameter } from '../../query/database.ts';

type Bindable = string | number | bigint | null;

/** What to hand to the driver's bind: numbered values by name, anonymous ones in order. */
export type Bindings = readonly [] | readonly [Readonly<Record<string, Bindable>>, readonly Bindable[]];

const parts =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z0-9_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*|\?(\d*)|([:@$#][A-Za-z0-9_$:\u0080-\uFFFF]+)/g;

/** @returns the bindings, or a `query_failed` that says how many values the statement takes. */
export function bindingsOf(sql: string, values: readonly Parameter[]): Bindings | DatabaseFailure {
  const numbered = new Set<number>();
  let count = 0;
  for (const [, number, named] of sql.matchAll(parts)) {
    if (named !== undefined)
      return refusal(`The parameter ${named} has a name; write ? or ?1 and give the values in order.`);
    if (number === undefined) continue;
    if (number === '') count += 1;
    else {
      numbered.add(Number(number));
      count = Math.max(count, Number(number));
    }
  }
  if (count !== values.length) {
    return refusal(
      `The statement takes ${amount(count, 'parameter')}, and ${amount(values.length, 'value')} came with it.`,
    );
  }
  if (count === 0) return [];
  const bound = values.map(bindable);
  const byNumber = Object.fromEntries(bound.map((value, index) => [String(index + 1), value]));
  return [byNumber, bound.filter((_, index) => !numbered.has(index + 1))];
}

function bindable(value: Parameter): Bindable {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return value;
}

function amount(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`;
}

function refusal(message: string): DatabaseFailure {
  return { kind: 'query_failed', message, code: null };
}
