/**
 * The port for recording open sessions, so the run after a crash can end those that still run a
 * statement. Only types.
 */

/**
 * Enough to find a session again and prove that it was ours: the engine's own facts, and the
 * server's address.
 */
export interface SessionNote {
  readonly server: string;
  readonly [fact: string]: string | number;
}

export interface SessionNotes {
  /** @returns a function to call once it has ended. */
  opened(note: SessionNote): () => void;
}
