/** What crosses between the daemon and a thread that judges: plain data. */

export interface Question {
  readonly name: string;
  readonly given: readonly unknown[];
}

/** A thread sends `ready` once, then one of the others for each question. */
export type Reply =
  | { readonly kind: 'ready' }
  /** `isBroken`: a parser may have spoilt its later answers. */
  | { readonly kind: 'answered'; readonly value: unknown; readonly isBroken: boolean }
  /** A mistake in the program, not in the statement. */
  | { readonly kind: 'threw'; readonly message: string };
