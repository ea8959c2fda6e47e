/**
 * The pages for people, and the commands in them: README.md, SECURITY.md, CONTRIBUTING.md and
 * docs/*.md. The convention:
 *
 * - an indented block, or one fenced as `sh`, holds commands, one per line (`\` at its end
 *   continues it, `#` begins a remark);
 * - one fenced as `console` holds commands behind `$ `, each followed by its output. There `…`
 *   stands for any text on its line, and a line of `…` alone for any lines; the number of blanks
 *   side by side doesn't matter;
 * - other fences name their language. `text` is none.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

export const pages: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter(page => existsSync(join(project, page))),
  ...readdirSync(join(project, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

export interface Block {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** `indented` for a block without a fence; '' for a fence without a language. */
  readonly language: string;
  readonly lines: readonly string[];
}

export interface TypedCommand {
  readonly text: string;
  /** Null if the page shows none. */
  readonly output: readonly string[] | null;
}

export function textOf(page: string): string {
  return readFileSync(join(project, page), 'utf8');
}

/** @returns the blocks in order, and the page's lines without them. */
export function readPage(page: string): { readonly blocks: readonly Block[]; readonly prose: string } {
  const blocks: { line: number; language: string; lines: string[] }[] = [];
  const prose: string[] = [];
  let fence: { readonly marks: string; readonly column: number } | null = null;
  /** The column where the text of the current list item begins; 0 outside lists. */
  let listColumn = 0;
  let isCode = false;
  let before = '';
  textOf(page)
    .split('\n')
    .forEach((text, index) => {
      const edge = /^(\s*)(```+)\s*(\S*)\s*$/.exec(text);
      const open = blocks.at(-1);
      const isIndented = /\S/.test(text) && text.search(/\S/) >= listColumn + 4;
      if (fence !== null) {
        if (edge?.[2] === fence.marks) fence = null;
        else open?.lines.push(text.slice(fence.column));
      } else if (edge !== null) {
        const [, blanks = '', marks = '', language = ''] = edge;
        fence = { marks, column: blanks.length };
        blocks.push({ line: index + 2, language, lines: [] });
      } else if (isIndented && (before === '' || isCode)) {
        if (!isCode) blocks.push({ line: index + 1, language: 'indented', lines: [] });
        blocks.at(-1)?.lines.push(text.trim());
        isCode = true;
      } else {
        prose.push(text);
        isCode = false;
        if (/^\S/.test(text)) listColumn = /^(?:[-*+]|\d+\.)\s+/.exec(text)?.[0].length ?? 0;
      }
      before = text;
    });
  return { blocks, prose: prose.join('\n') };
}

/** @returns the commands of a block; none if its language has no commands. */
export function commandsIn({ language, lines }: Block): readonly TypedCommand[] {
  if (language === 'sh' || language === 'indented') {
    return joined(lines)
      .filter(line => line.trim() !== '' && !line.startsWith('#'))
      .map(text => ({ text, output: null }));
  }
  if (language !== 'console') return [];
  const commands: { text: string; output: string[] }[] = [];
  for (const line of joined(lines)) {
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
    else commands.at(-1)?.output.push(line);
  }
  return commands;
}

function joined(lines: readonly string[]): readonly string[] {
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
}
