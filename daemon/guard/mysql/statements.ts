/**
 * Classifies one statement that is cut into tokens under one reading: which rules apply to it, and
 * what holds for all statements.
 */

import type { QualifiedName } from '../types.ts';
import { administration } from './administration.ts';
import { classifyAlter, classifyDrop, classifyRename, classifyTruncate } from './alterations.ts';
import { calledFunctions, type FunctionCall, userDefined } from './calls.ts';
import { classifyCreate, isStoredCode, kindAt, queryOf } from './definitions.ts';
import { classifyAnalyzed, classifyExplain, isMaintenance, runsNothing, schemaOfPlan } from './explain.ts';
import { forbiddenReach } from './forbidden-reach.ts';
import { whatCallDoes } from './functions.ts';
import { storedBy } from './query.ts';
import { functionsOf, grants, itemsOf } from './question.ts';
import { withSchema } from './resolver.ts';
import { columnListAt } from './rows.ts';
import { classifyRunnable } from './runnable.ts';
import { showsSampleTexts } from './sample-texts.ts';
import { classifySetStatement } from './set-statement.ts';
import { classifyShow } from './show.ts';
import { changeOf, isSystemSchema, procedureOf, secretOf } from './system-tables.ts';
import { touchedTables } from './tables.ts';
import { isName, isTooDeep, keywordsAt, maxDepth, type Token, tokenAt } from './tokens.ts';
import { passwordVariables, showsVariables } from './variables.ts';
import { atLeast, forbidden, isWorse, type Reason, say, type Verdict } from './verdict.ts';

const definitions: ReadonlyMap<string, (tokens: readonly Token[], schema: string | null) => Verdict> = new Map([
  ['CREATE', classifyCreate],
  ['ALTER', classifyAlter],
  ['DROP', classifyDrop],
  ['TRUNCATE', classifyTruncate],
  ['RENAME', classifyRename],
  ['SHOW', classifyShow],
]);

/**
 * @param written the tokens of a whole text, with a last semicolon if it has one.
 * @param callSchema where names without a schema are looked up; null if that is unknown.
 */
export function classifyTokens(written: readonly Token[], callSchema: string | null): Verdict {
  // A hint in the wrong place is a comment. It must not separate FOR from UPDATE, or a function
  // from its parenthesis.
  const code = written.filter(token => token.kind !== 'hint');
  const tokens = code.at(-1)?.key === ';' ? code.slice(0, -1) : code;
  if (tokens.length === 0) return forbidden('The statement is empty; send one.');
  if (isTooDeep(tokens)) return forbidden(`Parentheses nest more than ${maxDepth} deep.`);
  if (tokens.some(token => token.key === ';') && !isStoredCode(tokens)) {
    const compound = administration.get(tokenAt(tokens, 0).key)?.(tokens);
    return compound?.class === 'forbidden'
      ? compound
      : forbidden('More than one statement was sent; send one at a time.');
  }
  const schema = schemaOfPlan(tokens) ?? callSchema;
  const columns = columnListAt(
    tokens,
    tokens.findIndex(token => token.key === 'INSERT' || token.key === 'REPLACE'),
  );
  const calls = calledFunctions(tokens).filter(call => call.index + 1 !== columns || call.danger !== null);
  const answer = classifyVerb(tokens, schema);
  const reach = forbiddenReach(written, tokens, calls);
  if (reach !== null && isWorse('forbidden', answer.class))
    return { ...answer, class: 'forbidden', reason: reach.reason };
  const samples = showsSampleTexts(
    tokens,
    answer.tables.map(table => withSchema(table, schema)),
  );
  if (samples !== null && isWorse('forbidden', answer.class)) {
    const { class: forbids, reason } = forbidden(samples);
    return { ...answer, class: forbids, reason };
  }
  const named = systemReach(answer, schema);
  if (named !== null && isWorse(named.class, answer.class))
    return { ...answer, class: named.class, reason: named.reason };
  const stored = answer.class === 'read' ? storedBy(tokens, calls, runsNothing(tokens)) : null;
  const moved = stored === null ? answer : atLeast(answer, 'write', stored);
  const setting = calls.find(({ danger }) => danger?.class === 'destructive');
  const raised = setting?.danger ? atLeast(moved, 'destructive', whatCallDoes(setting.name, setting.danger)) : moved;
  const system = raised.class === 'write' ? systemChange(tokens, raised, schema) : null;
  if (system !== null) return { ...raised, class: 'destructive', reason: system };
  return withQuestion(raised, ranCalls(tokens, calls), tokens, schema);
}

/** A definition only runs the query that fills a table. */
function ranCalls(tokens: readonly Token[], calls: readonly FunctionCall[]): readonly FunctionCall[] {
  const verb = tokenAt(tokens, 0).key;
  if (!definitions.has(verb) || verb === 'SHOW') return calls;
  const isTable = verb === 'CREATE' && keywordsAt(tokens, kindAt(tokens), 'TABLE');
  const query = isTable ? queryOf(tokens) : -1;
  return query < 0 ? [] : calls.filter(call => call.index > query);
}

function withQuestion(
  answer: Verdict,
  calls: readonly FunctionCall[],
  tokens: readonly Token[],
  schema: string | null,
): Verdict {
  const { unknown } = userDefined(calls);
  const procedures = answer.calls;
  const named = procedures.filter(
    call => !unknown.some(({ name, schema: of }) => of === call.schema && name === call.name),
  );
  const question = [
    ...answer.question,
    ...itemsOf('read', readTables(answer, tokens), schema),
    ...(answer.plansDml === true ? [] : itemsOf(answer.change, answer.changes, schema, answer.by)),
    ...functionsOf(calls, schema),
    ...itemsOf('procedure', procedures, schema),
    ...(keywordsAt(tokens, 0, 'SHOW', 'CREATE') ? itemsOf('shown', answer.tables, schema) : []),
    ...(showsVariables(tokens, answer.tables) ? [passwordVariables] : []),
    ...(keywordsAt(tokens, 0, 'SHOW', 'GRANTS') ? [grants] : []),
  ];
  return { ...answer, calls: [...named, ...unknown], question };
}

/**
 * Leaves out tables that a statement only names: a definition's own table, or one whose columns are
 * shown.
 */
function readTables(answer: Verdict, tokens: readonly Token[]): readonly QualifiedName[] {
  const verb = tokenAt(tokens, 0).key;
  const query = verb === 'CREATE' ? queryOf(tokens) : -1;
  if (query >= 0) return touchedTables(tokens.slice(query));
  const isDefinition = definitions.has(verb) && verb !== 'SHOW';
  return isDefinition || ['LOCK', 'UNLOCK'].includes(verb)
    ? []
    : answer.tables.filter(table => !answer.named.includes(table));
}

/**
 * The verdict if the resolved names of a statement mean the server's own tables; null if they
 * don't.
 */
function systemReach(answer: Verdict, schema: string | null): Verdict | null {
  for (const table of answer.tables) {
    const secret = secretOf(withSchema(table, schema));
    if (secret !== null) return forbidden(secret);
  }
  const called = answer.calls
    .map(procedure => procedureOf(withSchema(procedure, schema)))
    .find(found => found !== null);
  if (called !== undefined) return called;
  if (answer.plansDml === true) return null;
  const changes = answer.changes.map(table => changeOf(withSchema(table, schema))).filter(found => found !== null);
  return changes.find(({ class: each }) => each === 'forbidden') ?? changes[0] ?? null;
}

export const unknownVerb = 'Its first word begins no statement this gate knows; correct it.';

function classifyVerb(tokens: readonly Token[], schema: string | null): Verdict {
  const { key } = tokenAt(tokens, 0);
  if (['EXPLAIN', 'DESCRIBE', 'DESC'].includes(key)) return classifyExplain(tokens);
  if (key === 'ANALYZE' && !isMaintenance(tokens)) return classifyAnalyzed(tokens, 1);
  if (keywordsAt(tokens, 0, 'SET', 'STATEMENT')) return classifySetStatement(tokens);
  return (
    classifyRunnable(tokens, 0) ??
    definitions.get(key)?.(tokens, schema) ??
    administration.get(key)?.(tokens) ??
    forbidden(unknownVerb)
  );
}

/**
 * A table moved into the `mysql` schema becomes the accounts and grants in force. A view over it
 * shows and changes them.
 */
function systemChange(tokens: readonly Token[], answer: Verdict, schema: string | null): Reason | null {
  const verb = tokenAt(tokens, 0).key;
  if (!['CREATE', 'ALTER', 'RENAME'].includes(verb)) return null;
  const isNamed = tokens.some(
    (token, index) =>
      isName(token) &&
      isSystemSchema(token.text) &&
      (tokenAt(tokens, index + 1).key === '.' || ['DATABASE', 'SCHEMA'].includes(tokenAt(tokens, index - 1).key)),
  );
  const isView = verb === 'CREATE' && keywordsAt(tokens, kindAt(tokens), 'VIEW');
  // A MERGE table's rows are those of other tables.
  const isMerge = tokens.some(({ text }) => /^(merge|mrg_myisam)$/i.test(text));
  const [target] = answer.tables;
  const isHere = isSystemSchema(schema) && tokens.some(token => isName(token));
  const reaches =
    verb === 'CREATE' && !isView && !isMerge
      ? isSystemSchema((target === undefined ? null : withSchema(target, schema).schema) ?? null)
      : isNamed || isHere;
  return reaches ? say("It reaches a system schema, which holds the server's own accounts and grants.") : null;
}
