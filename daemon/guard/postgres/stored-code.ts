/**
 * Judges what runs without standing in the statement: views, expressions of tables, bodies of functions. The same rules hold
 * as for statements, save that stored code may bind the session. What isn't understood is no read.
 */

import type { QualifiedName } from '../types.ts';
import { relationName } from './changing-nodes.ts';
import { examine } from './examine.ts';
import { Names } from './names.ts';
import type { Stored } from './notes.ts';
import type { Parse } from './parser.ts';
import { plpgsqlTexts } from './plpgsql.ts';
import { type CatalogQuestion, nothingAsked } from './question.ts';
import { anySchema } from './search-path.ts';
import { type Fields, fieldsOf, isOptionOn, listOf, optionsOf, taggedNode, textOf } from './tree.ts';
import { type Verdict, write } from './verdict.ts';

export interface JudgedCode {
  readonly findings: readonly Verdict[];
  readonly questions: readonly CatalogQuestion[];
  /** Names of every function in it, without schema. */
  readonly called: readonly string[];
  /** As of `Names`. */
  readonly dependsOnRole: boolean;
}

const notCalled = { questions: [], called: [], dependsOnRole: false } as const;
const notUnderstood: JudgedCode = {
  ...notCalled,
  dependsOnRole: true,
  findings: [{ ...write("it isn't understood, so it is no read."), isNarrow: false, isUnseen: true }],
};

/** Bare names in what the catalog prints mean what they mean in this session. */
const asPrinted: Stored = { path: null };

function together(codes: readonly JudgedCode[]): JudgedCode {
  return {
    findings: codes.flatMap(code => code.findings),
    questions: codes.flatMap(code => code.questions),
    called: codes.flatMap(code => code.called),
    dependsOnRole: codes.some(code => code.dependsOnRole),
  };
}

function judgeNode(node: unknown, parse: Parse, stored: Stored): JudgedCode {
  const { findings, questions, walk, dependsOnRole } = examine(node, parse, stored);
  return { findings: findings.map(softened), questions, called: [...walk.notes.called], dependsOnRole };
}

/** What a client may not do to its session, code that is stored may do to the one it runs in. */
function softened(finding: Verdict): Verdict {
  return finding.isSessionBound ? write(finding.reason) : finding;
}

function judgeText(text: string, parse: Parse, stored: Stored): JudgedCode {
  const parsed = parse(text);
  if (parsed.kind !== 'statements') return notUnderstood;
  return together(parsed.statements.map(statement => judgeNode(statement, parse, stored)));
}

export function judgeExpression(text: string, parse: Parse): JudgedCode {
  return judgeText(`SELECT ${text}`, parse, asPrinted);
}

/** @param isChanged true where a data change goes through the view: then it changes the one relation that the view is made of. */
export function judgeView(definition: string, isChanged: boolean, parse: Parse): JudgedCode {
  const judged = judgeText(definition, parse, asPrinted);
  const base = isChanged ? baseOf(definition, parse) : null;
  if (base === null) return judged;
  const relations = [{ ...base, ...asPrinted, role: 'changed', stored: true } as const];
  return { ...judged, questions: [...judged.questions, { ...nothingAsked, relations }] };
}

/** The one relation that a view is made of, through which it can be changed; null where there are several. */
export function baseOf(definition: string, parse: Parse): QualifiedName | null {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const [relation, other] = listOf(fieldsOf(taggedNode(statement)?.fields).fromClause);
  const node = taggedNode(relation);
  return node?.tag === 'RangeVar' && other === undefined ? relationName(node.fields) : null;
}

/**
 * @param definition as `pg_get_functiondef` prints it.
 * @param ownPath of the function's own `SET search_path`.
 * @param isBent true where another function may have set the path that this one runs under.
 */
export function judgeRoutine(
  definition: string,
  language: string,
  ownPath: readonly string[] | null,
  isBent: boolean,
  parse: Parse,
): JudgedCode {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const node = taggedNode(statement);
  if (node?.tag !== 'CreateFunctionStmt') return notUnderstood;
  const { fields } = node;
  const defaults = judgeNode(fields.parameters, parse, asPrinted);
  // `"$user"` in the session's path is another where the function runs as its definer.
  const path = ownPath ?? (isBent || isOptionOn(optionsOf(fields.options), 'security') ? anySchema : null);
  if (fields.sql_body !== undefined) return together([defaults, ...judgeBody(fields.sql_body, parse)]);
  const body = bodyOf(fields);
  if (body === null) return notUnderstood;
  if (language === 'sql') return together([defaults, judgeText(body, parse, { path })]);
  const found = plpgsqlTexts(definition, parametersOf(fields), parse);
  if (found === null) return notUnderstood;
  const texts = found.texts.map(text => judgeText(text, parse, { path }));
  const others = callsIn(body, parse, path, new Set(texts.flatMap(({ called }) => [...called])));
  return together([defaults, { ...notCalled, findings: found.findings }, others, ...texts]);
}

/** @param definition of a rule or trigger, as the catalog prints it: what a rule runs, and the condition of a trigger. */
export function judgeHook(definition: string, parse: Parse): JudgedCode {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const node = taggedNode(statement);
  if (node?.tag === 'CreateTrigStmt') return judgeNode(node.fields.whenClause, parse, asPrinted);
  if (node?.tag !== 'RuleStmt') return notUnderstood;
  const { whereClause, actions } = node.fields;
  return together([whereClause, ...listOf(actions)].map(each => judgeNode(each, parse, asPrinted)));
}

/** The grammar of PL/pgSQL leaves out the defaults of some variables, so every other name before a parenthesis counts as a call. */
function callsIn(body: string, parse: Parse, path: Stored['path'], known: ReadonlySet<string>): JudgedCode {
  const called = parse.calledNames(body);
  if (called === null) return notUnderstood;
  const names = new Names(path, true);
  const findings = called
    .filter(parts => !known.has(parts.at(-1) ?? ''))
    .map(parts => names.addCall({ parts, argumentCount: null }))
    .filter(finding => finding !== null)
    .map(softened);
  const question = names.question();
  const { dependsOnRole } = names;
  const lastParts = called.map(parts => parts.at(-1) ?? '');
  return { called: lastParts, findings, questions: question === null ? [] : [question], dependsOnRole };
}

/** The statements between BEGIN ATOMIC and END, or RETURN alone. */
function judgeBody(body: unknown, parse: Parse): readonly JudgedCode[] {
  const list = taggedNode(body);
  if (list?.tag === 'List') return listOf(list.fields.items).flatMap(item => judgeBody(item, parse));
  return Array.isArray(body) ? body.flatMap(item => judgeBody(item, parse)) : [judgeNode(body, parse, asPrinted)];
}

function parametersOf(fields: Fields): ReadonlySet<string> {
  return new Set(listOf(fields.parameters).map(item => textOf(fieldsOf(taggedNode(item)?.fields).name).toLowerCase()));
}

function bodyOf(fields: Fields): string | null {
  const as = optionsOf(fields.options).find(option => option.name === 'as');
  const items = listOf(fieldsOf(taggedNode(as?.value)?.fields).items);
  const text = taggedNode(items[0]);
  return items.length === 1 && text?.tag === 'String' ? textOf(text.fields.sval) : null;
}
