/**
 * Each reference in this tree has a target: a section mark has its section in
 * docs/specification.md, a link or anchor of a Markdown page has its file and heading, and a file
 * that a comment names is there. Reads files only.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const specification = 'docs/specification.md';

/** Text by path from the root. */
type Tree = ReadonlyMap<string, string>;
type Broken = (index: number, problem: string) => void;

/** This file is left out: it contains the patterns. */
const leftOut = /^(?:\.git|node_modules|build|coverage|\.build.*|\.DS_Store|references\.test\.ts)$/;

function readTree(folder = '', tree = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true })) {
    if (leftOut.test(entry.name)) continue;
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) readTree(path, tree);
    else if (entry.isFile()) tree.set(path, readFileSync(`${root}${path}`, 'utf8'));
  }
  return tree;
}

/** `file:line: what is wrong`, in the order of the files. */
function brokenIn(tree: Tree): string[] {
  const found: string[] = [];
  const sections = sectionsOf(tree.get(specification) ?? '');
  for (const [path, text] of tree) {
    if (text.includes('\0')) continue;
    const broken: Broken = (index, problem) =>
      found.push(`${path}:${text.slice(0, index).split('\n').length}: ${problem}`);
    checkMarks(text, sections, broken);
    for (const { 0: old, index } of text.matchAll(leftovers)) broken(index, `${old} is no document of this project`);
    if (path.endsWith('.md')) checkLinks(path, text, tree, broken);
    else checkFiles(path, text, tree, broken);
  }
  return found;
}

const leftovers = /\b(?:SPEC|FD) §|\bFD [1-9]|\bFINDINGS\b|\bSPEC\.md\b|founding document/g;

/** The headings within each section, by its number. */
function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const parts = withoutCode(text)
    .split(/^## (?=\d)/m)
    .slice(1);
  return new Map(
    parts.map(part => [
      /^\d+/.exec(part)?.[0] ?? '',
      [...part.matchAll(/^###+ (.+)$/gm)].map(([, title = '']) => title),
    ]),
  );
}

const sectionMark = /(\bRFC[^\n§]{0,16}|\b[A-Z]{3,}[- ]?[\d.:-]*\d )?§(?!n\b)(\d+(?:\.\d+)*)?(?: ([A-Z][a-z]+))?/g;
/** The text between the marks of one list, on one line or over two lines of a comment. */
const listed = /^(?:,|,? and|,? or)\s+(?:(?:\*|\/\/+|#|--)\s+)?$/;

/**
 * A mark is the specification's unless it follows a standard's number (RFC 9112, ECMA-48) or
 * continues such a list.
 */
function checkMarks(text: string, sections: ReturnType<typeof sectionsOf>, broken: Broken): void {
  let end = -1;
  for (const { 0: mark, 1: standard, 2: number = '', 3: word, index } of text.matchAll(sectionMark)) {
    const isOfStandard = standard !== undefined || (end >= 0 && listed.test(text.slice(end, index)));
    end = isOfStandard ? index + mark.length : -1;
    if (isOfStandard) {
      const isWellFormed = number !== '' && !/^RFC(?! \d{3,5} $)/.test(standard ?? '');
      if (!isWellFormed) broken(index, `${mark} is no section of a standard`);
      continue;
    }
    const titles = sections.get(number);
    if (titles === undefined) broken(index, `${specification} has no section ${number || 'without a number'}`);
    else if (word !== undefined && !titles.some(title => title.startsWith(word)))
      broken(index, `section ${number} of ${specification} has no heading ${word}`);
  }
}

const links = /\]\(\s*<?([^)\s>]+)|^ {0,3}\[[^\]]+\]:\s+(\S+)|\s(?:href|src|srcset)="([^"\s]+)/gm;

function checkLinks(page: string, text: string, tree: Tree, broken: Broken): void {
  for (const { 1: inline, 2: defined, 3: html, index } of withoutCode(text).matchAll(links)) {
    const target = inline ?? defined ?? html ?? '';
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) continue;
    const [file = '', anchor] = decodeURIComponent(target).split('#');
    const path = file === '' ? page : posix.join(posix.dirname(page), file).replace(/\/$/, '');
    const isFolder = [...tree.keys()].some(known => path === '.' || known.startsWith(`${path}/`));
    if (!tree.has(path) && !isFolder) broken(index, `${target} leads to no file`);
    else if (anchor !== undefined && !anchorsOf(tree.get(path) ?? '').has(anchor))
      broken(index, `${target} leads to no heading`);
  }
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;
const files = /(?<![\w@/.~$<{-])(?:[\w-]+\/)*[\w.-]*\w\.(?:ts|mjs|cjs|swift|sh|py|md|sql)\b(?![\w(/-]|\.\w)/g;

/** A comment names a file from its own folder, or from one above it. */
function checkFiles(path: string, text: string, tree: Tree, broken: Broken): void {
  if (!/\.(?:ts|mjs|cjs|swift)$/.test(path)) return;
  const above = path.split('/').map((_, depth, names) => names.slice(0, depth).join('/'));
  for (const { 0: comment, index } of text.matchAll(comments)) {
    for (const { 0: file, index: at } of comment.matchAll(files)) {
      if (!above.some(folder => tree.has(posix.join(folder, file)))) broken(index + at, `${file} is no file`);
    }
  }
}

/** As GitHub derives them from headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutFences(text).matchAll(/^#{1,6} +(.+?)[ #]*$/gm)) {
    const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Replaced by blanks, so each index stays. */
function withoutFences(text: string): string {
  return text.replace(/^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?^ {0,3}\1[^\n]*$/gm, blank);
}
const withoutCode = (text: string): string => withoutFences(text).replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, blank);
const blank = (code: string): string => code.replace(/[^\n]/g, ' ');

test('each reference has a target', () => {
  expect(brokenIn(readTree())).toEqual([]);
});

test.each([
  ['a.ts', '/** Two (spec §1,\n * §3). */', 'a.ts:2: docs/specification.md has no section 3'],
  ['a.ts', '// Spec §1 and §1.2.', 'a.ts:1: docs/specification.md has no section 1.2'],
  ['a.swift', '/// As spec §2 Launch has it.', 'a.swift:1: section 2 of docs/specification.md has no heading Launch'],
  ['a.ts', '// RFC9112 §2', 'a.ts:1: RFC9112 §2 is no section of a standard'],
  ['a.ts', '// RFC 9112 §4, §, §99', 'a.ts:1: § is no section of a standard'],
  ['a.ts', '// RFC §1', 'a.ts:1: RFC §1 is no section of a standard'],
  ['a.ts', '// FD §1', 'a.ts:1: FD § is no document of this project'],
  ['b.md', 'one\n[two](three.md)', 'b.md:2: three.md leads to no file'],
  ['docs/b.md', '![x](../x.png "y")', 'docs/b.md:1: ../x.png leads to no file'],
  ['b.md', '<img alt="" src="x.svg">', 'b.md:1: x.svg leads to no file'],
  ['b.md', '[x]: docs/specification.md#2-tw', 'b.md:1: docs/specification.md#2-tw leads to no heading'],
  ['b.md', '# A `b`: c\n[x](#a-b-c-1)', 'b.md:2: #a-b-c-1 leads to no heading'],
  ['d/a.ts', '/** One,\n * c/x.ts too. */', 'd/a.ts:2: c/x.ts is no file'],
  ['d/a.ts', '// specification.md', 'd/a.ts:1: specification.md is no file'],
])('found in %s: %j', (path, text, problem) => {
  const whole = '## 1. One\n## 2. Two, `too`\n### Trust and faith\n';
  expect(
    brokenIn(
      new Map([
        [specification, whole],
        [path, text],
      ]),
    ),
  ).toEqual([problem]);
});

test.each([
  [
    'a.ts',
    "// In spec §1's order (spec §2 Trust, §1), RFC 9112 §2.1, §77 and\n// §6.3; ECMA-48 §8.3.117; spec §n; Spec §2.",
  ],
  ['d/e/a.ts', "// docs/specification.md, as a.ts has it (e/a.ts)\nconst file = 'gone.ts';"],
  [
    'b.md',
    '# A\n## A\n[x](docs) [y](#a-1) [z](docs/specification.md#2-two-too) `[c](d)`\n```\n[e](f)\n```\n[g](https://h#i)',
  ],
])('fine in %s: %j', (path, text) => {
  expect(
    brokenIn(
      new Map([
        [specification, '## 1. One\n## 2. Two, `too`\n### Trust\n'],
        [path, text],
      ]),
    ),
  ).toEqual([]);
});
