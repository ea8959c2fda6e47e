/** The class of an SQLite statement by its text (SPEC §7). What its grammar doesn't name is never a read. */

import type { Classification, StatementClass } from '../classification.ts';
import { refuseText } from '../text.ts';
import { builtInFunctions, forbiddenFunctions, harmlessModules, notFunctions } from './functions.ts';
import { pragmaClass } from './pragmas.ts';
import { type Head, readHead } from './statement.ts';
import { type Token, tokenize } from './tokenizer.ts';
import { writeVerdict } from './writes.ts';

export function classifySqlite(sql: string): Classification {
  const malformed = refuseText(sql);
  if (malformed !== null) return forbidden(malformed);
  const tokens = tokenize(sql);
  const [first] = tokens;
  if (first === undefined) return forbidden('There is no statement, only blanks or comments.');
  if (first.text === '.') return forbidden('A line that starts with a dot is a command of a client program, not SQL.');
  const illegal = tokens.find(token => token.kind === 'illegal');
  if (illegal !== undefined) return forbidden('The statement has a token that SQLite does not know.');
  const head = readHead(tokens);
  if (head === null) return forbidden('More than one statement was sent; send one at a time.');
  return judge(head);
}

function judge(head: Head): Classification {
  const call = forbiddenCall(head.tokens);
  if (call !== null) return { ...forbidden(call), tables: head.tables };
  const verdict = verdictOf(head);
  return {
    class: verdict.class,
    reason: verdict.reason,
    tables: head.tables,
    calls: verdict.class === 'forbidden' ? [] : unknownCalls(head.tokens),
    needsOwnSession: head.verb === 'vacuum',
    isDml: head.isDml && head.explain === 'no',
    isUnboundedDml: verdict.unbounded === true,
  };
}

interface Verdict {
  readonly class: StatementClass;
  readonly reason: string;
  readonly unbounded?: boolean;
}

function verdictOf(head: Head): Verdict {
  // Many PRAGMAs act while they are prepared, so that EXPLAIN in front of one protects nothing.
  if (head.verb === 'pragma') return pragmaVerdict(head.body);
  if (head.explain !== 'no') return { class: 'read', reason: 'EXPLAIN only tells how the statement would run.' };
  switch (head.verb) {
    case 'select':
    case 'values':
      return { class: 'read', reason: `${head.verb.toUpperCase()} only reads.` };
    case 'begin':
    case 'commit':
    case 'end':
    case 'rollback':
    case 'savepoint':
    case 'release':
      return {
        class: 'forbidden',
        reason: `${head.verb.toUpperCase()} controls the transaction, which is Sallyport's to control.`,
      };
    case 'attach':
    case 'detach':
      return { class: 'forbidden', reason: `${head.verb.toUpperCase()} opens or closes database files.` };
    default:
      return (
        writeVerdict(head) ?? { class: 'forbidden', reason: 'The statement is none that SQLite is known to have.' }
      );
  }
}

function pragmaVerdict(body: readonly Token[]): Verdict {
  const nameAt = body[1]?.text === '.' ? 2 : 0;
  const name = body[nameAt]?.text ?? '';
  const hasArgument = body.length > nameAt + 1;
  const pragma = pragmaClass(name, hasArgument);
  const reasons: Record<StatementClass, string> = {
    read: `PRAGMA ${name} only tells.`,
    write: `PRAGMA ${name} writes to the database file.`,
    destructive: '',
    forbidden: `PRAGMA ${name}${hasArgument ? ' with a value' : ''} changes the session or the file's settings, or is not known.`,
  };
  return { class: pragma, reason: reasons[pragma] };
}

/** A table that is there without being called: it reads and writes the pages of the file. */
const rawPages = 'sqlite_dbpage';

/** A name before a parenthesis, however quoted, and a table-valued function or module used without one. */
function forbiddenCall(tokens: readonly Token[]): string | null {
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name' && token.kind !== 'string') continue;
    const name = token.text.toLowerCase();
    const why = forbiddenFunctions.get(name);
    const before = tokens[index - 1]?.text;
    const isCall = tokens[index + 1]?.text === '(' && before !== 'table' && before !== 'into' && before !== 'exists';
    const isModule = before === 'using' || before === 'from' || before === 'join';
    if (why !== undefined && (isCall || before === 'using' || name === rawPages)) return `${name} ${why}.`;
    if (name.startsWith('pragma_') && (isCall || isModule) && !tableValuedPragmaTells(name.slice(7), isCall)) {
      return `${name} is no PRAGMA that only tells.`;
    }
    if (before === 'using' && isVirtualTableModule(tokens, index) && !harmlessModules.has(name)) {
      return `The virtual table module ${name} is not one that stays within the database.`;
    }
  }
  return null;
}

function tableValuedPragmaTells(name: string, isCall: boolean): boolean {
  // SQLite makes a table of a PRAGMA only where it has no side effect; its argument is the one of a question, or a schema's name.
  return pragmaClass(name, false) === 'read' && (!isCall || pragmaClass(name, true) !== 'write');
}

function isVirtualTableModule(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(0, index).some(token => token.kind === 'word' && token.text === 'virtual');
}

function unknownCalls(tokens: readonly Token[]): Classification['calls'] {
  const names = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    if (tokens[index + 1]?.text !== '(' || tokens[index + 1]?.kind !== 'operator') continue;
    const before = tokens[index - 1]?.text ?? '';
    if (
      [
        'into',
        'table',
        'exists',
        'on',
        'references',
        'index',
        'with',
        ',',
        'view',
        'using',
        'recursive',
        'as',
      ].includes(before)
    ) {
      if (!isListedCall(tokens, index)) continue;
    }
    if (token.kind === 'word' && notFunctions.has(token.text)) continue;
    if (!builtInFunctions.has(token.text) && !token.text.startsWith('pragma_')) names.add(token.text);
  }
  return [...names].map(name => ({ schema: null, name }));
}

/** After a comma a call and a name with a column list look alike; the list of a common table expression is followed by AS. */
function isListedCall(tokens: readonly Token[], index: number): boolean {
  if (tokens[index - 1]?.text !== ',') return false;
  let depth = 0;
  for (let at = index + 1; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth++;
    if (tokens[at]?.text === ')' && --depth === 0)
      return !(tokens[at + 1]?.text === 'as' && tokens[at + 2]?.text === '(');
  }
  return true;
}

function forbidden(reason: string): Classification {
  return {
    class: 'forbidden',
    reason,
    tables: [],
    calls: [],
    needsOwnSession: false,
    isDml: false,
    isUnboundedDml: false,
  };
}
