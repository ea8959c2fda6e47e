/** Reads the person's own files, and sections of INI files. */

import { readFileSync, statSync } from 'node:fs';

/** Null if it is missing or unreadable. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Of a file that another file names: reading a terminal or a device would not end. */
export function plainTextOf(path: string): string | null {
  try {
    return statSync(path).isFile() ? textOf(path) : null;
  } catch {
    return null;
  }
}

export type Values = Readonly<Record<string, string | undefined>>;
export type Section = readonly [name: string, values: Values];

export function sectionsOf(text: string, readTyped: (typed: string) => string): readonly Section[] {
  const sections: [string, Record<string, string>][] = [];
  for (const line of text.split('\n').map(untrimmed => untrimmed.trim())) {
    const head = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (head !== undefined) sections.push([head.trim(), {}]);
    const at = line.indexOf('=');
    if (head !== undefined || /^[#;!]/.test(line) || at < 1) continue;
    const [, values = {}] = sections.at(-1) ?? [];
    values[line.slice(0, at).trim().toLowerCase()] = readTyped(line.slice(at + 1).trim());
  }
  return sections;
}

export function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
