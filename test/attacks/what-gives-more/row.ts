/** A row of what gives AI clients more access, or doesn't. */

import type { IncreaseFact, PrivilegeIncrease } from '../../../daemon/access/privilege-increases/words.ts';
import type { Asked, ControlMethod } from '../../../daemon/shells/commands.ts';

/** Of a rule alone. */
export interface RuleRow {
  readonly what: string;
  readonly judged: PrivilegeIncrease | null;
  /** The phrase; true where any will do, null where it gives nothing. */
  readonly gives: string | true | null;
  /** Among its facts. */
  readonly facts: readonly Partial<IncreaseFact>[];
}

/** Of what is asked of a daemon. */
export interface AskRow<Method extends ControlMethod = ControlMethod> {
  readonly what: string;
  readonly method: Method;
  readonly params: Asked<Method>;
  /** The whole sentence; left out where any will do. */
  readonly says?: string;
  /** Among the rows that are shown: `Port: 6543 (was 5432)`. */
  readonly facts: readonly string[];
  /** For what it names, and not for want of a yes. */
  readonly isRefused?: true;
  /** Left out: both. */
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

/** Where the app alone, or the passphrase alone, would confirm it so. */
export const byApp = <Method extends ControlMethod>(...row: Given<Method>): AskRow => ({
  ...ask(...row),
  confirmedBy: 'app',
});
export const byPassphrase = <Method extends ControlMethod>(...row: Given<Method>): AskRow => ({
  ...ask(...row),
  confirmedBy: 'passphrase',
});

/** Stands for the id of the token that there is. */
export const itsToken = 'the token that there is';
