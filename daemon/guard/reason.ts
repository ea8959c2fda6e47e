/**
 * Why a statement has its class: our words and the values in them, kept apart so that a shell can
 * say them in another language. A plain string has no code: nobody is asked about a statement that
 * only reads or is refused.
 */

import type { Text, Values } from '../../shared/texts.ts';

export interface ReasonPart {
  /** Its English, with `%@` for each value. */
  readonly code: Text;
  /** As they are; a shell escapes them. */
  readonly values: readonly string[];
  /** It says what to do, and more access would not help. */
  readonly advises?: true;
}

/** Parts are joined by a blank. */
export type Reason = string | readonly ReasonPart[];

export function say<Code extends Text>(code: Code, ...values: Values<Code>): readonly ReasonPart[] {
  return [{ code, values }];
}

/** The same for a reason that says what to do instead. */
export function advise<Code extends Text>(code: Code, ...values: Values<Code>): readonly ReasonPart[] {
  return say(code, ...values).map(part => ({ ...part, advises: true }));
}

export function english(reason: Reason): string {
  if (typeof reason === 'string') return reason;
  return reason.map(({ code, values }) => String.raw({ raw: code.split('%@') }, ...values)).join(' ');
}

export function joinReasons(...reasons: readonly Reason[]): Reason {
  const parts = reasons.flatMap(reason => (typeof reason === 'string' ? [] : [reason]));
  return parts.length === reasons.length ? parts.flat() : reasons.map(english).join(' ');
}

/** More reasons would be no help to the reader. */
const mostReasons = 10;

/**
 * What several parts of one statement do, as one reason.
 * @param reasons the strongest first.
 */
export function allOf(reasons: readonly Reason[]): Reason {
  const distinct = [...new Map(reasons.map(reason => [english(reason), reason])).values()];
  const left = distinct.length - mostReasons;
  return joinReasons(
    ...distinct.slice(0, mostReasons),
    ...(left > 0 ? [say('And %@ more of its parts ask.', String(left))] : []),
  );
}

/** The reason as a classification has it. */
export interface WordedReason {
  /** One sentence for people and models: what decided the class. */
  readonly reason: string;
  /** The same in parts; empty if it has no code. */
  readonly reasonParts: readonly ReasonPart[];
}

export function worded(reason: Reason): WordedReason {
  return { reason: english(reason), reasonParts: typeof reason === 'string' ? [] : reason };
}

export function reasonOf({ reason, reasonParts }: WordedReason): Reason {
  return reasonParts.length === 0 ? reason : reasonParts;
}
