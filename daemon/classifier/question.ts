/** What crosses between the daemon and a thread that classifies: plain data. */

export interface Question {
  readonly name: string;
  readonly given: readonly unknown[];
}

/**
 * A thread sends `ready` once; then for each question `loaded`, where something had to be loaded
 * first, and one of the others.
 */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded' }
  | { readonly kind: 'answered'; readonly value: unknown }
  /** A mistake in the program, not in the statement. */
  | { readonly kind: 'threw'; readonly message: string };
