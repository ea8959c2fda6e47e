/** Which of a server's tables, views and routines are out of sight (spec §6). */

import { folded, isHidden, isShown, type Sight } from '../sight.ts';
import type { QualifiedName } from '../types.ts';
import { isSystemName, namesInCode } from './sight-text.ts';
import { classifyCode, tokensOfCode } from './stored-body.ts';
import { isSystemSchema } from './system-tables.ts';

interface StoredCode extends QualifiedName {
  readonly kind: 'view' | 'routine';
  readonly schema: string;
  readonly text: string;
  readonly sqlMode: string;
}

/**
 * @returns those of `tables`, and those of `codes` that reach one or can't be looked into.
 */
export function hiddenAmong(
  sight: Sight,
  tables: readonly QualifiedName[],
  codes: readonly StoredCode[],
): readonly QualifiedName[] {
  const hidden = new Set(tables.filter(({ schema, name }) => isHidden(sight, schema, name)).map(keyOf));
  const open = codes
    .filter(code => !isShown(sight, code.schema, code.name))
    .map(code => ({ code, uses: usedBy(code) }));
  const reaches = ({ uses }: { readonly uses: readonly QualifiedName[] | null }): boolean =>
    uses === null || uses.some(name => hidden.has(keyOf(name)) || (isSystemSchema(name.schema) && isSystemName(name)));
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size;
    for (const each of open) if (reaches(each)) hidden.add(keyOf(each.code));
  }
  const routines = codes.filter(({ kind }) => kind === 'routine');
  return [...tables, ...routines].filter(name => hidden.has(keyOf(name)));
}

/** Servers with lower_case_table_names keep code in the case that it was written in. */
function keyOf({ schema, name }: QualifiedName): string {
  return `${folded(schema ?? '')}\0${folded(name)}`;
}

/** Null if it can't be looked into. */
function usedBy({ kind, schema, text, sqlMode }: StoredCode): readonly QualifiedName[] | null {
  const code = { kind, shown: [], schema, text, sqlMode, change: null };
  const tokens = tokensOfCode(code);
  if (tokens.length === 0) return null;
  const items = classifyCode(code).question.map(({ schema: of, name }) => ({ schema: of, name }));
  return [
    ...items,
    ...tokens.flatMap(each => namesInCode(each, schema)).flatMap(({ tables, others }) => [...tables, ...others]),
  ];
}
