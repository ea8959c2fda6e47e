/** Reads a column of an answer, `"Odd Name" text`, into its name and type (spec §8). */

export interface ResultColumn {
  readonly name: string;
  /** As the engine names it; empty if it names none. */
  readonly type: string;
}

const pattern = /^(?:"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([^ ]*))(?: (.*))?$/s;

export function columnOf(title: string): ResultColumn {
  const [, double, back, plain = title, type = ''] = pattern.exec(title) ?? [];
  return { name: double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? plain, type };
}
