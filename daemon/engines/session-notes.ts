/**
 * The port behind which open sessions are noted, so that the run after a crash can end those that
 * still run a statement. Only types.
 */

/**
 * Enough to find a session again and to prove that it was ours. The engine's own facts beside the
 * server's address.
 */
export interface SessionNote {
  readonly server: string;
  readonly [fact: string]: string | number;
}

export interface SessionNotes {
  /** @returns to be called once it has ended. */
  opened(note: SessionNote): () => void;
}
