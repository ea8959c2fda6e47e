/**
 * The class of an SQLite statement by its text (spec §7). A statement that its grammar doesn't have
 * is never a read.
 */

import { withAdvice } from '../advice.ts';
import { foreignListing } from '../foreign-listings.ts';
import { english, type Reason, say, worded } from '../reason.ts';
import { refuseText } from '../text.ts';
import type { Classification, StatementClass } from '../types.ts';
import { forbiddenCall, unknownCalls, writingCall } from './calls.ts';
import { type FileQuestion, fileQuestion } from './catalog.ts';
import { pragmaClass } from './pragmas.ts';
import { type Head, readHead } from './statement.ts';
import { isOperator, isWord, type Token, tokenize } from './tokenizer.ts';
import { type Verdict, writeVerdict } from './writes.ts';

/**
 * SQLite's own limit on an expression (limits.html). Its parser gives up on most nesting long
 * before.
 */
const mostNested = 1_000;

export interface SqliteClassification extends Classification {
  /** What to ask the file; its answer may raise the class. */
  readonly question?: FileQuestion;
  /** Present for a definition that is asked about before its COMMIT. */
  readonly defines?: true;
}

export function classifySqlite(sql: string): SqliteClassification {
  const refused = refuseText(sql) ?? foreignListing('sqlite', sql);
  if (refused !== null) return forbidden(refused);
  const tokens = tokenize(sql);
  const [first] = tokens;
  if (first === undefined) return forbidden('There is no statement, only blanks or comments; send one.');
  if (first.text === '.')
    return forbidden('A line that starts with a dot is a command of a client program, not SQL; send SQL.');
  const illegal = tokens.find(token => token.kind === 'illegal');
  if (illegal !== undefined) return forbidden('The statement has a token that SQLite does not know; correct it.');
  if (deepest(tokens) > mostNested) return forbidden('The statement is nested too deeply to be checked; simplify it.');
  const head = readHead(tokens);
  if (head === null) return forbidden('More than one statement was sent; send one at a time.');
  return classify(head);
}

/** The most parentheses that are open at once. */
function deepest(tokens: readonly Token[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    depth += isOperator(token, '(') ? 1 : isOperator(token, ')') ? -1 : 0;
    most = Math.max(most, depth);
  }
  return most;
}

function classify(head: Head): SqliteClassification {
  const call = forbiddenCall(head);
  if (call !== null) return { ...forbidden(call), tables: head.tables };
  const verdict = verdictOf(head);
  if (verdict.class === 'forbidden') return { ...forbidden(english(verdict.reason)), tables: head.tables };
  const question = head.explain === 'no' ? fileQuestion(head) : null;
  return {
    class: verdict.class,
    ...worded(verdict.reason),
    tables: head.tables,
    calls: head.verb === 'pragma' ? [] : unknownCalls(head),
    needsOwnSession:
      head.verb === 'vacuum' || (head.verb === 'pragma' && pragmaOf(head.body).name === 'wal_checkpoint'),
    isDml: head.isDml && head.explain === 'no',
    isUnboundedDml: verdict.unbounded === true,
    ...(question !== null && { question }),
    ...(verdict.defines === true && head.explain === 'no' && { defines: true as const }),
  };
}

const queries = ['select', 'with', 'values', 'insert', 'update', 'delete'];

function verdictOf(head: Head): Verdict {
  // Many PRAGMAs act while they are prepared, so EXPLAIN in front of one protects nothing.
  if (head.verb === 'pragma') return pragmaVerdict(head.body);
  if (head.explain === 'no') return statementVerdict(head);
  // SQLite would take it for the plan of ANALYZE.
  if (head.verb === 'analyze' && head.body.length > 1 && queries.some(verb => isWord(head.body[0], verb)))
    return {
      class: 'forbidden',
      reason: 'SQLite has no EXPLAIN ANALYZE; EXPLAIN QUERY PLAN tells how the statement would run.',
    };
  const verdict = statementVerdict(head);
  if (verdict.class === 'forbidden') return verdict;
  return { class: 'read', reason: 'EXPLAIN only tells how the statement would run.' };
}

function statementVerdict(head: Head): Verdict {
  switch (head.verb) {
    case 'select':
    case 'values':
      return readVerdict(head);
    case 'begin':
    case 'commit':
    case 'end':
    case 'rollback':
    case 'savepoint':
    case 'release':
      return {
        class: 'forbidden',
        reason: `${head.verb.toUpperCase()} controls the transaction, which is opened and closed for each statement; send the statement itself.`,
      };
    case 'attach':
    case 'detach':
      return { class: 'forbidden', reason: `${head.verb.toUpperCase()} opens or closes database files.` };
    case 'truncate':
      return { class: 'forbidden', reason: 'SQLite has no TRUNCATE; a DELETE without WHERE removes every row.' };
    default:
      return (
        writeVerdict(head) ?? {
          class: 'forbidden',
          reason: 'Not a statement that SQLite has; correct it.',
        }
      );
  }
}

function readVerdict(head: Head): Verdict {
  const writes = writingCall(head);
  if (writes !== null) return { class: 'write', reason: writes };
  return { class: 'read', reason: `${head.verb.toUpperCase()} only reads.` };
}

function pragmaOf(body: readonly Token[]): { readonly name: string; readonly hasArgument: boolean } {
  const nameAt = body[1]?.text === '.' ? 2 : 0;
  return { name: body[nameAt]?.text ?? '', hasArgument: body.length > nameAt + 1 };
}

function pragmaVerdict(body: readonly Token[]): Verdict {
  const { name, hasArgument } = pragmaOf(body);
  const pragma = pragmaClass(name, hasArgument);
  const reasons: Record<StatementClass, Reason> = {
    read: `PRAGMA ${name} only tells.`,
    write: say('PRAGMA %@ writes to the database file.', name),
    destructive: say('PRAGMA %@ changes a number by which programs know what the file is.', name),
    forbidden: `PRAGMA ${name}${hasArgument ? ' with a value' : ''} changes the session or the file's settings, or is not known.`,
  };
  return { class: pragma, reason: reasons[pragma] };
}

function forbidden(reason: string): Classification {
  return {
    class: 'forbidden',
    ...worded(withAdvice(reason)),
    tables: [],
    calls: [],
    needsOwnSession: false,
    isDml: false,
    isUnboundedDml: false,
  };
}
