/**
 * Values for `?` and `?1`, bound by position. Whole JavaScript numbers become INTEGER (the driver
 * would bind REAL), booleans 0 and 1. An integer beyond 2^53 arrives as text and stays text:
 * comparing it with an INTEGER column uses the column's affinity; elsewhere write a CAST.
 */

import type { DatabaseFailure, Parameter } from '../../engine.ts';

type Bindable = string | number | bigint | null;

/** The values in the order in which they are bound. */
export type Bindings = readonly Bindable[];

const parts =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z0-9_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*|\?(\d*)|([:@$#][A-Za-z0-9_$:\u0080-\uFFFF]+)/g;

/** @returns the bindings, or a `query_failed` that tells how many values the statement takes. */
export function bindingsOf(sql: string, values: readonly Parameter[]): Bindings | DatabaseFailure {
  let count = 0;
  for (const [, number, named] of sql.matchAll(parts)) {
    if (named !== undefined)
      return refusal(`The parameter ${named} has a name; write ? or ?1 and give the values in order.`);
    if (number === undefined) continue;
    if (number === '') count += 1;
    else count = Math.max(count, Number(number));
  }
  if (count !== values.length) {
    return refusal(
      `The statement takes ${amount(count, 'parameter')}, and ${amount(values.length, 'value')} came with it.`,
    );
  }
  return values.map(bindable);
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
