/**
 * A policy file of which only a part has applied (spec §6): what a failure says of the changes
 * before it.
 */

import type { CommandOutcome } from '../command.ts';

export class PartlyApplied extends Error {
  /** Keys of connections, and settings; one at least. */
  readonly count: number;

  constructor(count: number, cause: unknown) {
    super('a policy file has applied in part', { cause });
    this.name = 'PartlyApplied';
    this.count = count;
  }
}

export function tellApplied(refusal: CommandOutcome<never>, count: number): CommandOutcome<never> {
  if (refusal.kind !== 'refused') return refusal;
  const { message, data, ...rest } = refusal.error;
  // A shell that says the parts in its language would leave out what else is told.
  const { parts: _, ...whole } = data;
  const those = count === 1 ? '1 change before it has' : `${count} changes before it have`;
  const sentence = `${message} ${those} applied; \`sallyport policy apply FILE --check\` tells what is left.`;
  return { kind: 'refused', error: { ...rest, message: sentence, data: whole } };
}
