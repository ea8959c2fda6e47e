/** The rows of what gives AI clients more access, or doesn't. */

import type { IncreaseFact, PrivilegeIncrease } from '../../../daemon/access/privilege-increases/words.ts';
import type { Asked, ControlMethod } from '../../../daemon/shells/commands.ts';

/** A row for a rule alone. */
export interface RuleRow {
  readonly what: string;
  readonly judged: PrivilegeIncrease | null;
  /** The phrase; true if any is fine, null if it gives nothing. */
  readonly gives: string | true | null;
  /** Among its facts are these. */
  readonly facts: readonly Partial<IncreaseFact>[];
}

/** A row for a daemon that is asked. */
export interface AskRow<Method extends ControlMethod = ControlMethod> {
  readonly what: string;
  readonly method: Method;
  readonly params: Asked<Method>;
  /** The whole sentence; left out if any is fine. */
  readonly says?: string;
  /** Shown among the facts: `Port: 6543 (was 5432)`. */
  readonly facts: readonly string[];
  /** Refused for what it names, not for a missing confirmation. */
  readonly isRefused?: true;
  /** Left out if both may. */
  readonly confirmedBy?: 'passphrase' | 'app';
}

export function ask<Method extends ControlMethod>(
  method: Method,
  params: Asked<Method>,
  says?: string,
  ...facts: string[]
): AskRow {
  const what = `${method} ${JSON.stringify(params)}`;
  return { what, method, params: params as never, facts, ...(says !== undefined && { says }) };
}

type Given<Method extends ControlMethod> = [method: Method, params: Asked<Method>, says?: string, ...facts: string[]];

/** Rows that only the app, or only the passphrase, can confirm. */
export const byApp = <Method extends ControlMethod>(...row: Given<Method>): AskRow => ({
  ...ask(...row),
  confirmedBy: 'app',
});
export const byPassphrase = <Method extends ControlMethod>(...row: Given<Method>): AskRow => ({
  ...ask(...row),
  confirmedBy: 'passphrase',
});

/** Stands for the id of the existing token. */
export const itsToken = 'the token that there is';
