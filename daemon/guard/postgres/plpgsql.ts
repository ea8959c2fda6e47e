/** The SQL in a PL/pgSQL function, as PostgreSQL's own grammar of that language finds it. */

import type { Parse } from './parser.ts';
import { fieldsOf, isFields, textOf } from './tree.ts';
import { destructive, say, type Verdict, write } from './verdict.ts';

/** Statements of the language that do nothing except what the SQL in them does. */
const understood: ReadonlySet<string> = new Set(
  `block assign if case loop while fori fors forc foreach_a exit return return_next return_query raise assert execsql perform
   getdiag open fetch close call`
    .split(/\s+/)
    .map(name => `PLpgSQL_stmt_${name}`),
);

interface PlpgsqlTexts {
  /** Statements, each to be classified. */
  readonly texts: readonly string[];
  /** The verdicts on parts without SQL that could be classified. */
  readonly findings: readonly Verdict[];
}

/**
 * @param parameters the names of the function's own.
 * @returns null if the grammar doesn't take the function.
 */
export function plpgsqlTexts(definition: string, parameters: ReadonlySet<string>, parse: Parse): PlpgsqlTexts | null {
  const tree = parse.plpgsql(definition);
  if (tree === null) return null;
  const texts = new Set<string>();
  const findings: Verdict[] = [];
  const pending: unknown[] = [tree];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...value);
    if (!isFields(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      const dynamic = /^PLpgSQL_stmt_dyn/.test(key) ? fieldsOf(child).query : key === 'dynquery' ? child : undefined;
      if (key.startsWith('PLpgSQL_stmt_') && !understood.has(key) && dynamic === undefined) {
        const [, ending] = /_(commit|rollback)$/.exec(key) ?? [];
        const finding = write(
          ending === undefined
            ? say("it runs a statement of PL/pgSQL, which can't be checked.")
            : say("it runs %@, which can't be checked.", ending.toUpperCase()),
        );
        findings.push({ ...finding, isUnseen: true, ...(ending !== undefined && { endsTransaction: true }) });
      }
      if (dynamic !== undefined)
        findings.push(classifyDynamic(fieldsOf(fieldsOf(dynamic).PLpgSQL_expr).query, parameters));
      if (key === 'PLpgSQL_expr') texts.add(expressionAsStatement(fieldsOf(child).query, fieldsOf(child).parseMode));
      if (key === 'PLpgSQL_type') texts.add(typeAsStatement(textOf(fieldsOf(child).typname)));
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return { texts: [...texts].filter(text => text !== ''), findings };
}

/**
 * SQL that the function puts together is the function's own. SQL that it is handed whole is
 * whatever a client wants.
 */
function classifyDynamic(query: unknown, parameters: ReadonlySet<string>): Verdict {
  const words = textOf(query).match(/\$\d+|[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];
  const isHanded = words.some(word => word.startsWith('$') || parameters.has(word.toLowerCase()));
  return isHanded && !textOf(query).includes("'")
    ? { ...destructive(say('it runs whatever SQL it is handed, which is not checked.')), isUnseen: true }
    : { ...write(say("it runs SQL from a string, which can't be checked.")), isNarrow: false, isUnseen: true };
}

/**
 * @param mode PostgreSQL's `RawParseMode`: 0 a statement, 2 an expression, from 3 on an assignment.
 */
function expressionAsStatement(query: unknown, mode: unknown): string {
  const text = textOf(query);
  if (mode === 2) return `SELECT ${text}`;
  if (typeof mode !== 'number' || mode < 2) return text;
  const [, target, value] = /^([^:=]*):?=([\s\S]*)$/.exec(text) ?? [];
  // A text that isn't split here won't parse, so it isn't understood.
  return target === undefined ? text : `SELECT ${target}, ${value}`;
}

/** A variable's type has checks of its own: `t%ROWTYPE` and `t.c%TYPE` have those of a table. */
function typeAsStatement(type: string): string {
  if (/^(record|trigger|refcursor|)$/i.test(type)) return '';
  const percent = type.lastIndexOf('%');
  if (percent === -1) return `SELECT NULL::${type}`;
  const name = type.slice(0, percent);
  if (/^\s*rowtype/i.test(type.slice(percent + 1))) return `SELECT FROM ${name}`;
  // Without a table, it is the type of another variable.
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : `SELECT FROM ${name.slice(0, dot)}`;
}
