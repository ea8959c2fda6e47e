/** The classes of the statements that change something: DML, DDL and maintenance. */

import { type Reason, say } from '../reason.ts';
import { triedReason } from '../tried-reason.ts';
import type { StatementClass } from '../types.ts';
import { definedKindAt } from './definitions.ts';
import { isCommonTable } from './names.ts';
import type { Head } from './statement.ts';
import { isOperator, isWord, type Token } from './tokenizer.ts';

export interface Verdict {
  readonly class: StatementClass;
  readonly reason: Reason;
  readonly unbounded?: boolean;
  /** True for a definition that is asked about before its COMMIT: the file says what it did. */
  readonly defines?: boolean;
}

/** In each schema, SQLite keeps the schema itself in a table with these names. */
const schemaTables = new Set(['sqlite_schema', 'sqlite_master', 'sqlite_temp_schema', 'sqlite_temp_master']);

/** Null if the verb is none of these. */
export function writeVerdict(head: Head): Verdict | null {
  const schemaTable = head.names.tables.find(({ role, name }) => role !== 'source' && schemaTables.has(name));
  if (schemaTable !== undefined)
    return {
      class: 'forbidden',
      reason: `${schemaTable.name} holds the schema itself; change it with CREATE, ALTER or DROP.`,
    };
  switch (head.verb) {
    case 'insert':
    case 'replace':
      return write(say('%@ writes rows.', head.verb.toUpperCase()));
    case 'update':
    case 'delete':
      return boundedVerdict(head);
    case 'create':
      return createVerdict(head);
    case 'alter':
      return alterVerdict(head.body);
    case 'drop':
      return destructive(say('DROP removes data or schema for good.'));
    case 'analyze':
    case 'reindex':
      return write(say('%@ is maintenance that writes to the file.', head.verb.toUpperCase()));
    case 'vacuum':
      return head.body.some(token => isWord(token, 'into'))
        ? {
            class: 'forbidden',
            reason:
              'VACUUM INTO writes a copy of the database to a file; read what is wanted, or ask the user to make the copy.',
          }
        : write(say('VACUUM rebuilds the file.'));
    default:
      return null;
  }
}

const write = (reason: Reason): Verdict => ({ class: 'write', reason });
const tried = (command: string): Verdict => ({ class: 'write', reason: triedReason(command), defines: true });
const destructive = (reason: Reason): Verdict => ({ class: 'destructive', reason });

function createVerdict({ tokens, body, names }: Head): Verdict {
  const kind = tokens[definedKindAt(tokens, tokens.length - body.length - 1)]?.text;
  if (kind === 'trigger') return destructive(say('CREATE TRIGGER makes code that later changes run.'));
  const ofSqlite = names.tables.find(
    each => each.role === 'source' && !isCommonTable(names, each) && /^(sqlite_|pragma_|dbstat$)/.test(each.name),
  );
  if (kind === 'view' && ofSqlite !== undefined)
    return destructive(say("CREATE VIEW makes code over %@, a table of SQLite's own.", ofSqlite.name));
  if (kind !== 'table' && kind !== 'index' && kind !== 'view')
    return destructive(say('CREATE of something that is not known to keep what is there.'));
  return tried(`CREATE ${kind.toUpperCase()}`);
}

function boundedVerdict({ verb, body }: Head): Verdict {
  const condition = whereOf(body);
  if (condition?.some(namesColumn) === true)
    return write(say('%@ changes the rows its WHERE picks.', verb.toUpperCase()));
  const name = verb.toUpperCase();
  const reason =
    condition === null
      ? say('%@ has no WHERE: it touches every row.', name)
      : say('%@ has a WHERE that names no column: it touches every row.', name);
  return { class: 'destructive', reason, unbounded: true };
}

const constantWords = new Set(
  `all and as between binary case cast collate current_date current_time current_timestamp distinct else escape exists
   false from glob in is isnull like match nocase not notnull null or regexp rtrim select then true values when where with`.split(
    /\s+/,
  ),
);

/** True if a WHERE can tell rows apart at all. The count of changed rows shows whether it does. */
function namesColumn(token: Token, at: number, condition: readonly Token[]): boolean {
  if (token.kind === 'name') return !isOperator(condition[at + 1], '(');
  if (token.kind !== 'word' || constantWords.has(token.text) || isOperator(condition[at + 1], '(')) return false;
  return token.text !== 'end' || isComparedColumn(condition[at - 1], condition[at + 1]);
}

const comparing = new Set('= == < > <= >= <> != in is between like not'.split(' '));
/** An operand begins after these. */
const opening = new Set('( , = == < > <= >= <> != + - * / and or not where when then else'.split(' '));

/**
 * True if `end` is an operand of its own with a comparison after it. The END of CASE … END = 1 is
 * none.
 */
function isComparedColumn(before: Token | undefined, next: Token | undefined): boolean {
  return (before === undefined || isOneOf(before, opening)) && isOneOf(next, comparing);
}

function isOneOf(token: Token | undefined, texts: ReadonlySet<string>): boolean {
  return (token?.kind === 'operator' || token?.kind === 'word') && texts.has(token.text);
}

const endsCondition = new Set(['returning', 'order', 'limit']);

function whereOf(body: readonly Token[]): readonly Token[] | null {
  const where = indexAtTop(body, token => isWord(token, 'where'));
  if (where === -1) return null;
  const rest = body.slice(where + 1);
  const end = indexAtTop(rest, token => token.kind === 'word' && endsCondition.has(token.text));
  return end === -1 ? rest : rest.slice(0, end);
}

function indexAtTop(tokens: readonly Token[], found: (token: Token) => boolean): number {
  let depth = 0;
  return tokens.findIndex(token => {
    if (isOperator(token, '(')) depth++;
    if (isOperator(token, ')')) depth--;
    return depth === 0 && found(token);
  });
}

function alterVerdict(body: readonly Token[]): Verdict {
  // ALTER TABLE [schema.]name …: the word after the name says what is altered. A column may itself
  // be called "drop".
  const afterName = body[2]?.text === '.' ? 4 : 2;
  const [action, to] = body.slice(afterName);
  // What a client changed is also counted by table name. Under a new name, the count would begin
  // again.
  if (isWord(action, 'rename') && isWord(to, 'to'))
    return destructive(
      say('ALTER TABLE … RENAME TO moves rows away from the name under which programs look for them.'),
    );
  if (isWord(action, 'rename'))
    return destructive(say('ALTER TABLE … RENAME gives a name another meaning, for everybody who uses it.'));
  if (isWord(action, 'add')) return tried('ALTER TABLE … ADD');
  if (isWord(action, 'drop')) return destructive(say('ALTER TABLE … DROP removes data or a constraint for good.'));
  return destructive(say('ALTER TABLE in a form that is not known to keep what rows and writes mean.'));
}
