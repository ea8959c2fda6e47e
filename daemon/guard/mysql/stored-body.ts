/**
 * Classifies code that a server keeps: the bodies of views, routines and triggers. The rules for a
 * client's statements apply, except to what only code has: control flow, variables of its own,
 * transactions. Asks no server: what the code names becomes a question.
 */

import { type Reason, type ReasonPart, say } from '../reason.ts';
import type { QualifiedName, StatementClass } from '../types.ts';
import { calledFunctions, type FunctionCall } from './calls.ts';
import { storedBy } from './query.ts';
import { type CatalogItem, type Change, functionsOf, itemsOf } from './question.ts';
import { type Reading, readings } from './reading.ts';
import { withSchema } from './resolver.ts';
import { classifyRunnable } from './runnable.ts';
import { showsSampleTexts } from './sample-texts.ts';
import { statementsOf } from './stored-statements.ts';
import { classifyStored, type Stored } from './stored-verbs.ts';
import { touchedTables } from './tables.ts';
import { tokenize } from './tokenizer.ts';
import { isName, isTooDeep, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { isWorse } from './verdict.ts';

export interface Code {
  readonly kind: 'view' | 'routine' | 'trigger';
  /** Shown to people: `adv.f()`. */
  readonly shown: readonly ReasonPart[];
  /** Where names without a schema are looked up: the code's own schema, whoever runs it. */
  readonly schema: string;
  readonly text: string;
  /** The sql_mode it was stored under. */
  readonly sqlMode: string;
  /** For a view: what is done to rows through it. */
  readonly change: Change | null;
}

interface CodeVerdict {
  readonly class: StatementClass;
  readonly reason: Reason;
  readonly question: readonly CatalogItem[];
  /** True if what it does can't be counted, or can't be taken back. */
  readonly isUncounted: boolean;
}

export function classifyCode(code: Code): CodeVerdict {
  const ways = waysToRead(code);
  if (code.text === '' || ways.length * code.text.length > maxCharactersRead) return unseen(code);
  let worst: CodeVerdict | null = null;
  for (const way of ways) {
    const cut = tokenize(code.text, way);
    if (cut.kind === 'failure') continue;
    if (isTooDeep(cut.tokens)) return unseen(code);
    const found = classifyTokens(
      code,
      cut.tokens.filter(token => token.kind !== 'hint'),
    );
    const question: readonly CatalogItem[] = [...(worst?.question ?? []), ...found.question];
    const isUncounted: boolean = found.isUncounted || (worst as CodeVerdict | null)?.isUncounted === true;
    worst = { ...(worst === null || isWorse(found.class, worst.class) ? found : worst), question, isUncounted };
  }
  return worst ?? unseen(code);
}

/** The code's tokens in each way that the server may read it; none if it can't be read. */
export function tokensOfCode(code: Code): readonly (readonly Token[])[] {
  const ways = waysToRead(code);
  if (code.text === '' || ways.length * code.text.length > maxCharactersRead) return [];
  return ways.flatMap(way => {
    const cut = tokenize(code.text, way);
    return cut.kind === 'failure' ? [] : [cut.tokens.filter(token => token.kind !== 'hint')];
  });
}

/** The account may not see it, or no reading that this gate knows understands it. */
function unseen({ kind, text, shown }: Code): CodeVerdict {
  const privilege = kind === 'view' ? 'SHOW VIEW' : 'TRIGGER';
  const why =
    text === '' && kind !== 'routine'
      ? say('cannot be looked into with the rights of this account: the privilege %@ is missing.', privilege)
      : say('cannot be looked into with the rights of this account.');
  return { class: 'write', reason: [...shown, ...why], question: [], isUncounted: true };
}

/** Over all readings of one text, as for a client's statement. */
const maxCharactersRead = 1_000_000;

/**
 * The reading that the server has. For executable comments it is every reading, since the server's
 * version isn't known here.
 */
function waysToRead({ kind, text, sqlMode }: Code): readonly Reading[] {
  const modes = sqlMode.toUpperCase().split(',');
  const hasAnsiQuotes = modes.includes('ANSI_QUOTES') || modes.includes('ANSI') || modes.includes('ORACLE');
  const isLiteral = modes.includes('NO_BACKSLASH_ESCAPES');
  // The server prints a view's text in the reader's mode, not in the view's own.
  return (readings(text) ?? []).filter(
    way =>
      kind === 'view' ||
      (way.ansiQuotes === (hasAnsiQuotes && text.includes('"')) &&
        (way.backslash === 'literal') === (isLiteral && text.includes('\\'))),
  );
}

/** Words of stored code that stand before a parenthesis and call nothing. */
const notCalls = new Set(
  `WHILE UNTIL ELSEIF IF CASE BEGIN VARCHAR CHAR NCHAR NVARCHAR VARBINARY BINARY DECIMAL DEC NUMERIC FIXED NUMBER VARCHAR2
  TINYINT SMALLINT MEDIUMINT INT INTEGER BIGINT FLOAT DOUBLE REAL BIT YEAR TIME DATETIME TIMESTAMP TINYTEXT MEDIUMTEXT LONGTEXT
  TINYBLOB MEDIUMBLOB LONGBLOB SIGNED UNSIGNED VALUE VALUES RETURNS EXISTS CURSOR THEN ELSE`.split(/\s+/),
);

/** The calls in a body. A column list after INSERT INTO t, or the name of a CALL, isn't one. */
function callsInCode(tokens: readonly Token[]): readonly FunctionCall[] {
  return calledFunctions(tokens).filter(({ index }) => {
    const start = tokenAt(tokens, index - 1).key === '.' ? index - 2 : index;
    const before = tokenAt(tokens, start - 1).key;
    return (
      !notCalls.has(tokenAt(tokens, index).key) && !['INTO', 'TABLE', 'INSERT', 'REPLACE', 'CALL'].includes(before)
    );
  });
}

function proceduresIn(tokens: readonly Token[]): readonly QualifiedName[] {
  return tokens.flatMap((token, index): QualifiedName[] => {
    const [first, second] = [tokenAt(tokens, index + 1), tokenAt(tokens, index + 3)];
    if (token.key !== 'CALL' || !isName(first)) return [];
    return tokenAt(tokens, index + 2).key === '.'
      ? [{ schema: first.text, name: second.text }]
      : [{ schema: null, name: first.text }];
  });
}

/**
 * In `WHERE id = 7`, a parameter or variable `id` hides the column (MySQL manual, Local Variable
 * Scope and Resolution), so the condition picks all rows or none. A routine's parameters aren't in
 * its body. MariaDB's FOR declares variables, too.
 */
function mayHideColumns(kind: Code['kind'], tokens: readonly Token[]): boolean {
  return kind === 'routine' || tokens.some(({ key }) => key === 'DECLARE' || key === 'FOR');
}

function classifyTokens(code: Code, tokens: readonly Token[]): CodeVerdict {
  const { kind, schema, shown } = code;
  const calls = callsInCode(tokens);
  const tables = touchedTables(tokens);
  const found: Stored[] = [...classifyCalls(calls), ...classifyReach(tokens)];
  const samples = showsSampleTexts(
    tokens,
    tables.map(table => withSchema(table, schema)),
  );
  if (samples !== null)
    found.push({ class: 'forbidden', why: say("shows texts of other people's statements; leave it out.") });
  const changes: CatalogItem[] = [];
  if (kind === 'view') {
    const query = classifyRunnable(tokens, 0);
    if (query === null) found.push({ class: 'write', why: say('is no query this gate knows.'), isUncounted: true });
    const stored = storedBy(tokens, calls);
    if (stored !== null) found.push({ class: 'write', why: say('does more than read.') });
    if (code.change !== null) changes.push(...itemsOf(code.change, tables, schema));
  } else {
    const mayHide = mayHideColumns(kind, tokens);
    for (const statement of statementsOf(tokens)) {
      const classified = classifyStored(statement, kind, schema);
      found.push(classified);
      const by = mayHide ? [] : classified.by;
      changes.push(...itemsOf(classified.change ?? 'changed', classified.changes ?? [], schema, by));
      // REPLACE and ON DUPLICATE KEY add rows too.
      if (['INSERT', 'REPLACE'].includes(tokenAt(statement, 0).key))
        changes.push(...itemsOf('added', classified.changes ?? [], schema));
    }
  }
  let worst: Stored = { class: 'read', why: say('only reads.') };
  for (const each of found) if (isWorse(each.class, worst.class)) worst = each;
  const question = [
    ...itemsOf('read', tables, schema),
    ...changes,
    ...functionsOf(calls, schema),
    ...itemsOf('procedure', proceduresIn(tokens), schema),
  ];
  return {
    class: worst.class,
    reason: [...shown, ...worst.why],
    question,
    isUncounted: found.some(each => each.isUncounted === true),
  };
}

function classifyCalls(calls: readonly FunctionCall[]): Stored[] {
  return calls.flatMap(({ name, danger }): Stored[] => {
    if (danger === null) return [];
    return [
      {
        class: danger.class === 'write' ? 'write' : 'destructive',
        why: [...say('calls %@(), which', name.toUpperCase()), ...danger.does],
        ...(danger.class === 'forbidden' && { isUncounted: true as const }),
      },
    ];
  });
}

function classifyReach(tokens: readonly Token[]): Stored[] {
  const found: Stored[] = [];
  tokens.forEach(({ key, kind, text }, index) => {
    if (key === 'INTO' && ['OUTFILE', 'DUMPFILE'].includes(tokenAt(tokens, index + 1).key))
      found.push({ class: 'destructive', why: say('writes a file of the server.'), isUncounted: true });
    if (key === 'LOAD' && ['DATA', 'XML'].includes(tokenAt(tokens, index + 1).key))
      found.push({ class: 'destructive', why: say('reads a file.'), isUncounted: true });
    const isOwn = kind === 'variable' && !text.startsWith('@@');
    if (isOwn && (tokenAt(tokens, index - 1).key === 'INTO' || tokenAt(tokens, index + 1).key === ':='))
      found.push({ class: 'write', why: say('sets a variable of the session.') });
    if (
      keywordsAt(tokens, index, 'NEXT', 'VALUE', 'FOR') ||
      (/^nextval$/i.test(text) && tokenAt(tokens, index - 1).key === '.')
    )
      found.push({ class: 'write', why: say('moves a sequence.') });
    if (
      keywordsAt(tokens, index, 'FOR', 'UPDATE') ||
      keywordsAt(tokens, index, 'FOR', 'SHARE') ||
      keywordsAt(tokens, index, 'LOCK', 'IN', 'SHARE', 'MODE')
    )
      found.push({ class: 'write', why: say('locks rows.') });
  });
  return found;
}
