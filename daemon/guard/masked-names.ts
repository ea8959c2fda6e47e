/** Remembers which names a connection's patterns mask: each call asks about the same ones. */

import { isMasked, type MaskPattern } from './masks.ts';

const most = 10_000;
const judged = new WeakMap<readonly MaskPattern[], Map<string, boolean>>();

/** Answers as {@link isMasked} does. Answers are remembered by the list `masks` itself. */
export function isMaskedName(masks: readonly MaskPattern[], schema: string, table: string, column: string): boolean {
  let known = judged.get(masks);
  if (known === undefined || known.size > most) {
    known = new Map();
    judged.set(masks, known);
  }
  const key = `${schema}\0${table}\0${column}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = isMasked(masks, schema, table, column);
    known.set(key, answer);
  }
  return answer;
}
