/**
 * Words what a person reads about a record that can't be read: where it is, what counts meanwhile,
 * what to do (spec §1).
 */

export interface DamagedRow {
  readonly table: string;
  /** Identifies the row. */
  readonly row: string;
  readonly meanwhile: string;
  readonly remedy: string;
}

/** Called for each while the daemon starts; the start goes on without the record. */
export type ReportDamage = (damaged: DamagedRow) => void;

/** @param place the file's path, or `the keychain`. */
export function damageSentence(place: string, { table, row, meanwhile, remedy }: DamagedRow): string {
  return `In ${place} the row ${row} of ${table} can't be read, so ${meanwhile}. ${remedy}`;
}

const mostTold = 20;

/** For `status`. */
export function damageNotes(sentences: readonly string[]): string[] {
  const told = sentences.slice(0, mostTold);
  const more = sentences.length - told.length;
  return more > 0 ? [...told, `${more} more rows can't be read; the log names them.`] : told;
}
