/** Messages between the daemon and a classifying thread: plain data. */

export interface Question {
  readonly name: string;
  readonly given: readonly unknown[];
}

/**
 * A thread sends `ready` once. Then it sends `loaded` for a question that had to load something
 * first, and one of the others for each question. `processorMilliseconds`: what the thread has used
 * since its start.
 */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded'; readonly processorMilliseconds: number }
  | { readonly kind: 'answered'; readonly value: unknown; readonly processorMilliseconds: number }
  /** A bug in the program, not in the statement. */
  | { readonly kind: 'threw'; readonly message: string };
