/** The syntax tree of a file of TypeScript, for what looks at our own sources. */

import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

export const parsedOf = source => parseSync(source, { syntax: 'typescript', target: 'es2022' });

/** Each node of a tree, in the order of the text. */
export function* nodesOf(node) {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') yield node;
  for (const [name, child] of Object.entries(node)) if (name !== 'span') yield* nodesOf(child);
}

export const nodesIn = file => [...nodesOf(parsedOf(readFileSync(file, 'utf8')))];
