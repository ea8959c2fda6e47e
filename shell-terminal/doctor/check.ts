/** The result of one check of `sallyport doctor`. */

export interface Check {
  /** The checked thing, in a word or two. */
  readonly name: string;
  readonly ok: boolean;
  /** The finding. */
  readonly says: string;
  /** What to do about a problem. */
  readonly remedy: string | null;
  /** It works, but could be better. */
  readonly advice?: true;
}

export function ok(name: string, says: string): Check {
  return { name, ok: true, says, remedy: null };
}

export function advice(name: string, says: string): Check {
  return { ...ok(name, says), advice: true };
}

export function problem(name: string, says: string, remedy: string): Check {
  return { name, ok: false, says, remedy };
}
