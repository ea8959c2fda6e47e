/**
 * Classifies code that runs without standing in the statement: views, expressions of tables, bodies
 * of functions. The rules for statements apply, except that stored code may bind the session. Code
 * that isn't understood is never a read.
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
import { say, type Verdict, write } from './verdict.ts';

export interface ClassifiedCode {
  readonly findings: readonly Verdict[];
  readonly questions: readonly CatalogQuestion[];
  /** Names of every function in it, without schema. */
  readonly called: readonly string[];
  /** As in `Names`. */
  readonly dependsOnRole: boolean;
}

const notCalled = { questions: [], called: [], dependsOnRole: false } as const;
const notUnderstood: ClassifiedCode = {
  ...notCalled,
  dependsOnRole: true,
  findings: [{ ...write(say("it isn't understood, so it doesn't count as a read.")), isNarrow: false, isUnseen: true }],
};

/** A bare name in what the catalog prints means what it means in this session. */
const asPrinted: Stored = { path: null };

function together(codes: readonly ClassifiedCode[]): ClassifiedCode {
  return {
    findings: codes.flatMap(code => code.findings),
    questions: codes.flatMap(code => code.questions),
    called: codes.flatMap(code => code.called),
    dependsOnRole: codes.some(code => code.dependsOnRole),
  };
}

function classifyNode(node: unknown, parse: Parse, stored: Stored): ClassifiedCode {
  const { findings, questions, walk, dependsOnRole } = examine(node, parse, stored);
  return { findings: findings.map(softened), questions, called: [...walk.notes.called], dependsOnRole };
}

/** A client may not change its session. Stored code may change the one that it runs in. */
function softened(finding: Verdict): Verdict {
  return finding.isSessionBound ? write(finding.reason) : finding;
}

function classifyText(text: string, parse: Parse, stored: Stored): ClassifiedCode {
  const parsed = parse(text);
  if (parsed.kind !== 'statements') return notUnderstood;
  return together(parsed.statements.map(statement => classifyNode(statement, parse, stored)));
}

export function classifyExpression(text: string, parse: Parse): ClassifiedCode {
  return classifyText(`SELECT ${text}`, parse, asPrinted);
}

/**
 * @param isChanged true if a data change goes through the view. Then it changes the one relation
 *   that the view is made of.
 */
export function classifyView(definition: string, isChanged: boolean, parse: Parse): ClassifiedCode {
  const classified = classifyText(definition, parse, asPrinted);
  const base = isChanged ? baseOf(definition, parse) : null;
  if (base === null) return classified;
  const relations = [{ ...base, ...asPrinted, role: 'changed', stored: true } as const];
  return { ...classified, questions: [...classified.questions, { ...nothingAsked, relations }] };
}

/**
 * The one relation that a view is made of, which a change through the view changes; null if there
 * are several.
 */
export function baseOf(definition: string, parse: Parse): QualifiedName | null {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const [relation, other] = listOf(fieldsOf(taggedNode(statement)?.fields).fromClause);
  const node = taggedNode(relation);
  return node?.tag === 'RangeVar' && other === undefined ? relationName(node.fields) : null;
}

/**
 * @param definition as `pg_get_functiondef` prints it.
 * @param ownPath the function's own `SET search_path`.
 * @param isBent true if another function may have set the path that this one runs under.
 */
export function classifyRoutine(
  definition: string,
  language: string,
  ownPath: readonly string[] | null,
  isBent: boolean,
  parse: Parse,
): ClassifiedCode {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const node = taggedNode(statement);
  if (node?.tag !== 'CreateFunctionStmt') return notUnderstood;
  const { fields } = node;
  const defaults = classifyNode(fields.parameters, parse, asPrinted);
  // `"$user"` in the session's path means another schema if the function runs as its definer.
  const path = ownPath ?? (isBent || isOptionOn(optionsOf(fields.options), 'security') ? anySchema : null);
  if (fields.sql_body !== undefined) return together([defaults, ...classifyBody(fields.sql_body, parse)]);
  const body = bodyOf(fields);
  if (body === null) return notUnderstood;
  if (language === 'sql') return together([defaults, classifyText(body, parse, { path })]);
  const found = plpgsqlTexts(definition, parametersOf(fields), parse);
  if (found === null) return notUnderstood;
  const texts = found.texts.map(text => classifyText(text, parse, { path }));
  const others = callsIn(body, parse, path, new Set(texts.flatMap(({ called }) => [...called])));
  return together([defaults, { ...notCalled, findings: found.findings }, others, ...texts]);
}

/**
 * Classifies what a rule runs and its condition, or the condition of a trigger.
 * @param definition of the rule or trigger, as the catalog prints it.
 */
export function classifyHook(definition: string, parse: Parse): ClassifiedCode {
  const parsed = parse(definition);
  const [statement] = parsed.kind === 'statements' ? parsed.statements : [];
  const node = taggedNode(statement);
  if (node?.tag === 'CreateTrigStmt') return classifyNode(node.fields.whenClause, parse, asPrinted);
  if (node?.tag !== 'RuleStmt') return notUnderstood;
  const { whereClause, actions } = node.fields;
  return together([whereClause, ...listOf(actions)].map(each => classifyNode(each, parse, asPrinted)));
}

/**
 * The grammar of PL/pgSQL leaves out the defaults of some variables. So every other name before a
 * parenthesis counts as a call.
 */
function callsIn(body: string, parse: Parse, path: Stored['path'], known: ReadonlySet<string>): ClassifiedCode {
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
function classifyBody(body: unknown, parse: Parse): readonly ClassifiedCode[] {
  const list = taggedNode(body);
  if (list?.tag === 'List') return listOf(list.fields.items).flatMap(item => classifyBody(item, parse));
  return Array.isArray(body) ? body.flatMap(item => classifyBody(item, parse)) : [classifyNode(body, parse, asPrinted)];
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
