/**
 * What a text does that a program sends over PostgreSQL's own protocol: its statements, and of each
 * whether it opens or ends a transaction, sets something, or is to be judged, and by which query in
 * it. Whatever isn't listed is judged as a whole, and is no read then.
 */

import { splitPostgres } from '../../file-statements.ts';
import { classifyWithin } from '../classify-postgres.ts';
import { isPlainType } from '../names.ts';
import { nameOf } from '../new-words.ts';
import type { Parse, Parsed } from '../parser.ts';
import { withTypes } from '../question.ts';
import { refusePostgresText } from '../text.ts';
import { type Fields, isFields, listOf, nameParts, taggedNode, textOf } from '../tree.ts';
import type { PostgresClassification } from '../types.ts';
import { english } from '../verdict.ts';
import { identifier } from './literal.ts';
import { configText, isCallOf, settingText, transactionModes } from './session-settings.ts';

export interface ClientStatement {
  /** What travels to the server. */
  readonly sql: string;
  readonly does: /** Opens a transaction that only reads. */
    | { readonly kind: 'begin' }
    /** COMMIT or ROLLBACK. `chains`: the next one begins at once. */
    | { readonly kind: 'end'; readonly chains: boolean }
    /** To a savepoint. */
    | { readonly kind: 'back' }
    /**
     * Sets what stands on a list, and takes no snapshot. `renames`: names may stand for something
     * else behind it.
     */
    | { readonly kind: 'set'; readonly renames: boolean }
    /** Harmless, but not within a transaction. */
    | { readonly kind: 'alone' }
    /** Harmless. */
    | { readonly kind: 'pass' }
    /** Sets what stands on a list, by a query. */
    | { readonly kind: 'config'; readonly renames: boolean }
    | { readonly kind: 'judged'; readonly by: PostgresClassification }
    | { readonly kind: 'declare'; readonly name: string; readonly by: PostgresClassification }
    /** Null: all cursors. */
    | { readonly kind: 'close'; readonly name: string | null }
    /** PREPARE, judged by the statement in it. */
    | { readonly kind: 'prepare'; readonly name: string; readonly by: PostgresClassification }
    /** `by` judges the values; null if there are none. */
    | { readonly kind: 'execute'; readonly name: string; readonly by: PostgresClassification | null }
    /** Null: all prepared statements of the session. */
    | { readonly kind: 'deallocate'; readonly name: string | null }
    /** `code`: SQLSTATE. */
    | { readonly kind: 'refused'; readonly code: string; readonly reason: string };
}

type Does = ClientStatement['does'];

const onlyReads = '25006';
const syntaxError = '42601';

/** One statement, as a Parse holds it; an empty text is one that does nothing. */
export function readClientStatement(everyTime: Parse, text: string): ClientStatement {
  const parse = rememberingLast(everyTime);
  const unfit = refusePostgresText(text);
  if (unfit !== null) return { sql: text, does: refused(english(unfit.reason)) };
  const parsed = parse(text);
  if (parsed.kind !== 'statements') return { sql: text, does: unread(parsed) };
  if (parsed.statements.length > 1)
    return { sql: text, does: refused('Only one statement can be prepared at a time.', syntaxError) };
  const [statement] = parsed.statements;
  return statement === undefined ? { sql: '', does: pass } : written(parse, text, statement);
}

/** All statements of a Query. */
export function readClientQuery(everyTime: Parse, text: string): readonly ClientStatement[] {
  const parse = rememberingLast(everyTime);
  if (refusePostgresText(text) !== null) return [readClientStatement(parse, text)];
  const parsed = parse(text);
  if (parsed.kind !== 'statements') return [{ sql: text, does: unread(parsed) }];
  if (parsed.statements.length < 2) return [readClientStatement(parse, text)];
  const split = splitPostgres(parse, text);
  // A piece is what the server gets, so it is read again by itself.
  if (split.kind === 'statements') return split.statements.map(piece => readClientStatement(parse, piece));
  return [{ sql: text, does: refused('These statements can’t be told apart; send one at a time.', syntaxError) }];
}

/** Parsing takes most of the time, and each step asks for the same text. Nobody changes a tree. */
function rememberingLast(parse: Parse): Parse {
  let last: { readonly sql: string; readonly parsed: Parsed } | null = null;
  const { plpgsql, calledNames } = parse;
  const remembering = (sql: string): Parsed => {
    if (last?.sql !== sql) last = { sql, parsed: parse(sql) };
    return last.parsed;
  };
  return Object.assign(remembering, { plpgsql, calledNames });
}

function unread(parsed: Exclude<Parsed, { kind: 'statements' }>): Does {
  if (parsed.kind === 'too_deep') return refused('The statement is nested too deeply to be checked; simplify it.');
  return refused(`Not valid PostgreSQL: ${parsed.message}`, syntaxError);
}

function refused(reason: string, code = onlyReads): Does {
  return { kind: 'refused', code, reason };
}

const pass = { kind: 'pass' } as const;

function written(parse: Parse, sql: string, statement: unknown): ClientStatement {
  const { tag = '', fields = {} } = taggedNode(statement) ?? {};
  const as = (does: Does, text = sql): ClientStatement => ({ sql: text, does });
  /** @param inner the query in it, whichever way the text is read. */
  const by = (inner: (node: unknown) => unknown) => classifyWithin(sql, parse, inner);
  const judged = (inner: (node: unknown) => unknown): ClientStatement => as({ kind: 'judged', by: by(inner) });
  const query = (node: unknown): unknown => fieldOfTagged(node, tag)?.query ?? null;
  const name = textOf(fields.name);

  switch (tag) {
    case 'TransactionStmt':
      return transaction(fields, as);
    case 'VariableSetStmt': {
      const set = settingText(fields);
      return 'sql' in set
        ? as({ kind: 'set', renames: set.renames }, set.sql)
        : as(refused(`SET is refused: ${set.problem}.`));
    }
    case 'SelectStmt': {
      // What pools send before they lend a session again. No lock can be held here.
      if (isCallOf(fields, 'pg_advisory_unlock_all')) return as(pass, 'SELECT pg_catalog.pg_advisory_unlock_all()');
      const set = configText(fields, sql);
      if (set === null) return judged(node => node);
      return 'sql' in set
        ? as({ kind: 'config', renames: set.renames }, set.sql)
        : as(refused(`This setting is refused: ${set.problem}.`));
    }
    case 'PrepareStmt': {
      // Another type's checks would run on the values.
      const types = listOf(fields.argtypes).map(type => nameOf(nameParts(taggedNode(type)?.fields.names)));
      if (!types.every(type => type.schema === 'pg_catalog' || isPlainType(type)))
        return as(refused('PREPARE names types of PostgreSQL itself here; leave the others out.'));
      const bare = types.filter(isPlainType).map(type => ({ ...type, path: null, builtIn: true }));
      const inner = by(query);
      return as({ kind: 'prepare', name, by: { ...inner, question: withTypes(inner.question, bare) } });
    }
    case 'DeclareCursorStmt':
      return as({ kind: 'declare', name: textOf(fields.portalname), by: by(query) });
    case 'ClosePortalStmt':
      return as({ kind: 'close', name: fields.portalname === undefined ? null : textOf(fields.portalname) });
    case 'CopyStmt':
      if (fields.is_from === true || fields.is_program === true || fields.filename !== undefined)
        return as(refused('COPY only sends to the client here: COPY … TO STDOUT.'));
      return judged(copied);
    case 'ExecuteStmt':
      return as({ kind: 'execute', name, by: listOf(fields.params).length === 0 ? null : by(executed) });
    // EXPLAIN ANALYZE runs what was prepared, which may be of another kind and under other names.
    case 'ExplainStmt':
      return taggedNode(fields.query)?.tag === 'ExecuteStmt'
        ? as(refused('EXPLAIN takes a query here, not EXECUTE.'))
        : judged(node => node);
    case 'FetchStmt':
    case 'UnlistenStmt':
    case 'ConstraintsSetStmt':
      return as(pass);
    case 'DeallocateStmt':
      return as({ kind: 'deallocate', name: fields.isall === true ? null : name });
    case 'DiscardStmt':
      return as(fields.target === 'DISCARD_ALL' ? { kind: 'alone' } : pass);
    // What every SELECT takes.
    case 'LockStmt':
      return as(
        fields.mode === 1 ? pass : refused('LOCK … IN ACCESS SHARE MODE is the one lock that can be taken here.'),
      );
    default:
      return judged(node => node);
  }
}

function transaction(fields: Fields, as: (does: Does, text?: string) => ClientStatement): ClientStatement {
  const name = identifier(textOf(fields.savepoint_name));
  const chains = fields.chain === true;
  const chain = chains ? ' AND CHAIN' : '';
  switch (fields.kind) {
    case 'TRANS_STMT_BEGIN':
    case 'TRANS_STMT_START': {
      const modes = transactionModes(fields.options);
      return modes === null
        ? as(refused('Transactions only read here; leave out READ WRITE.'))
        : as({ kind: 'begin' }, `BEGIN TRANSACTION ${modes}`);
    }
    case 'TRANS_STMT_COMMIT':
      return as({ kind: 'end', chains }, `COMMIT${chain}`);
    case 'TRANS_STMT_ROLLBACK':
      return as({ kind: 'end', chains }, `ROLLBACK${chain}`);
    case 'TRANS_STMT_SAVEPOINT':
      return as(pass, `SAVEPOINT ${name}`);
    case 'TRANS_STMT_RELEASE':
      return as(pass, `RELEASE SAVEPOINT ${name}`);
    case 'TRANS_STMT_ROLLBACK_TO':
      return as({ kind: 'back' }, `ROLLBACK TO SAVEPOINT ${name}`);
    default:
      return as(refused('Transactions in two phases are refused here.'));
  }
}

function fieldOfTagged(node: unknown, tag: string): Fields | null {
  const found = taggedNode(node);
  return found?.tag === tag ? found.fields : null;
}

const select = (fields: Fields) => ({
  SelectStmt: { limitOption: 'LIMIT_OPTION_DEFAULT', op: 'SETOP_NONE', ...fields },
});
const target = (val: unknown) => ({ ResTarget: { val } });
const column = (part: unknown) => target({ ColumnRef: { fields: [part] } });

/** The query that a COPY runs; of a table it is one for its columns. */
function copied(node: unknown): unknown {
  const fields = fieldOfTagged(node, 'CopyStmt');
  if (fields === null || fields.is_from === true || fields.filename !== undefined) return null;
  if (fields.query !== undefined) return fields.query;
  if (!isFields(fields.relation)) return null;
  const names = nameParts(fields.attlist);
  const targetList = names.length === 0 ? [column({ A_Star: {} })] : names.map(sval => column({ String: { sval } }));
  return select({ targetList, fromClause: [{ RangeVar: fields.relation }] });
}

/** The values that an EXECUTE computes. The statement was judged when it was prepared. */
function executed(node: unknown): unknown {
  const fields = fieldOfTagged(node, 'ExecuteStmt');
  return fields === null ? null : select({ targetList: listOf(fields.params).map(target) });
}
