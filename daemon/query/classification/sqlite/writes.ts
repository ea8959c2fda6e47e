/** The classes of the statements that change something: DML, DDL and maintenance. */

import type { QualifiedName, StatementClass } from '../classification.ts';
import { definedKindAt } from './definitions.ts';
import { fullTextCommand } from './full-text-command.ts';
import { restricts } from './restriction.ts';
import { type Head, isWord } from './statement.ts';
import type { Token } from './tokenizer.ts';

export interface Verdict {
  readonly class: StatementClass;
  readonly reason: string;
  readonly unbounded?: boolean;
  readonly commands?: QualifiedName;
}

/** SQLite keeps its schema there, under each of these names, in each schema. */
const schemaTables = new Set(['sqlite_schema', 'sqlite_master', 'sqlite_temp_schema', 'sqlite_temp_master']);

/** Null where the verb is none of these. */
export function writeVerdict(head: Head): Verdict | null {
  const schemaTable = head.references.tables.find(({ role, name }) => role !== 'source' && schemaTables.has(name));
  if (schemaTable !== undefined)
    return {
      class: 'forbidden',
      reason: `${schemaTable.name} holds the schema itself; change it with CREATE, ALTER or DROP.`,
    };
  switch (head.verb) {
    case 'insert':
    case 'replace':
      return insertVerdict(head);
    case 'update':
    case 'delete':
      return boundedVerdict(head);
    case 'create':
      return createVerdict(head);
    case 'alter':
      return alterVerdict(head.body);
    case 'drop':
      return { class: 'destructive', reason: 'DROP removes data or schema for good.' };
    case 'analyze':
    case 'reindex':
      return write(`${head.verb.toUpperCase()} is maintenance that writes to the file.`);
    case 'vacuum':
      return head.body.some(token => isWord(token, 'into'))
        ? {
            class: 'forbidden',
            reason:
              'VACUUM INTO writes a copy of the database to a file; read what is wanted, or ask the user to make the copy.',
          }
        : write('VACUUM rebuilds the file.');
    default:
      return null;
  }
}

function write(reason: string): Verdict {
  return { class: 'write', reason };
}

/** What FTS5 takes as a command to forget what it holds: for good, where it keeps no copy. */
const forgetting = 'delete-all';

function insertVerdict(head: Head): Verdict {
  const plain = write(`${head.verb.toUpperCase()} writes rows.`);
  const command = fullTextCommand(head.body);
  if (command === null) return plain;
  if (command.texts === null) return { ...plain, commands: command.table };
  if (command.texts.every(text => text.toLowerCase() !== forgetting)) return plain;
  return { class: 'destructive', reason: `'${forgetting}' empties a full-text index for good.` };
}

function createVerdict({ tokens, body, references }: Head): Verdict {
  const kind = tokens[definedKindAt(tokens, tokens.length - body.length - 1)]?.text;
  if (kind === 'trigger') return { class: 'destructive', reason: 'CREATE TRIGGER makes code that later changes run.' };
  const ofSqlite = references.tables.find(
    ({ role, name, isCommonTable }) => role === 'source' && !isCommonTable && /^(sqlite_|pragma_|dbstat$)/.test(name),
  );
  if (kind === 'view' && ofSqlite !== undefined)
    return { class: 'destructive', reason: `CREATE VIEW makes code over ${ofSqlite.name}, a table of SQLite's own.` };
  return write('CREATE adds to the schema.');
}

function boundedVerdict({ verb, body }: Head): Verdict {
  const condition = whereOf(body);
  if (condition !== null && restricts(condition))
    return write(`${verb.toUpperCase()} changes the rows its WHERE picks.`);
  const because = condition === null ? 'has no WHERE' : 'has a WHERE that restricts nothing';
  return { class: 'destructive', reason: `${verb.toUpperCase()} ${because}: it touches every row.`, unbounded: true };
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
    if (token.kind === 'operator' && token.text === '(') depth++;
    if (token.kind === 'operator' && token.text === ')') depth--;
    return depth === 0 && found(token);
  });
}

function alterVerdict(body: readonly Token[]): Verdict {
  // ALTER TABLE [schema.]name …: what follows the name says what is altered; a column may itself be called "drop".
  const afterName = body[2]?.text === '.' ? 4 : 2;
  const [action, , next] = body.slice(afterName);
  if (isWord(action, 'rename')) return write('ALTER TABLE … RENAME loses nothing.');
  if (isWord(action, 'add')) return write('ALTER TABLE … ADD loses nothing.');
  if (isWord(action, 'alter') && !isWord(next, 'drop')) return write('ALTER TABLE … ALTER COLUMN loses nothing.');
  return { class: 'destructive', reason: 'ALTER TABLE … DROP removes data or a constraint for good.' };
}
