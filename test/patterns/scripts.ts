/**
 * Finds what macOS's bash 3.2, its /bin/sh, can't parse in a script: a `case` within `$( )` whose
 * patterns have no `(` before them. That bash looks for the end of `$( )` by counting parentheses,
 * so the pattern's own ends it. Reads text alone.
 */

export function isScript(file: string): boolean {
  return /\.sh(?:\.in)?$/.test(file) || file === '.ci/run';
}

/** @returns the lines, counted from 1, on which such a substitution begins. */
export function unclosedCases(script: string): readonly number[] {
  return substitutionsIn(withoutRemarks(script)).flatMap(({ from, text }) =>
    countOf(/\bcase\s/g, text) > countOf(/\besac\b/g, text) ? [script.slice(0, from).split('\n').length] : [],
  );
}

function countOf(word: RegExp, text: string): number {
  return text.match(word)?.length ?? 0;
}

/** Blanks instead of comments, texts in apostrophes and documents, so that every place stays. */
function withoutRemarks(script: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  return script
    .replace(/(<<-?\s*(['"]?)(\w+)\2[^\n]*\n)([\s\S]*?\n)(?=\s*\3\n)/g, (_, head: string, __, ___, body: string) => {
      return head + blank(body);
    })
    .replace(/(^|[\s;(])#[^\n]*/gm, (all: string, before: string) => before + blank(all.slice(before.length)))
    .replace(/\\[\s\S]/g, blank)
    .replace(/'[^']*'/g, blank);
}

interface Substitution {
  readonly from: number;
  readonly text: string;
}

/** Each `$( )` as bash 3.2 finds its end, those within others too. */
function substitutionsIn(script: string): readonly Substitution[] {
  const open: number[] = [];
  const found: Substitution[] = [];
  for (let at = 0; at < script.length; at++) {
    if (script[at] === '(') open.push(at);
    if (script[at] !== ')') continue;
    const from = open.pop();
    if (from !== undefined && script[from - 1] === '$') found.push({ from, text: script.slice(from + 1, at) });
  }
  return found;
}
