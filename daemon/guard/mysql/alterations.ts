/**
 * Classifies ALTER, DROP, RENAME and TRUNCATE. They are destructive if rows, columns, definitions
 * or rights may be lost.
 */

import { isStoredCode, outsideReach } from './definitions.ts';
import { type AlteredPart, keptByAlter } from './kept-by-alter.ts';
import { itemsOf } from './question.ts';
import { ownTransactions } from './storage-engines.ts';
import { blockEnds } from './stored-code.ts';
import { nameAt, namesAt } from './tables.ts';
import { hasKeywords, indexAtTop, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { allOf, destructive, forbidden, inOwnSession, type Reason, say, type Verdict, write } from './verdict.ts';
import { widerColumn } from './wider-column.ts';

/** Kinds that DROP knows; with any other word it isn't a statement. */
const droppable = new Set(
  `TABLE TABLES VIEW INDEX DATABASE SCHEMA USER ROLE SERVER SEQUENCE FUNCTION PROCEDURE TRIGGER EVENT PACKAGE TABLESPACE UNDO
  LOGFILE RESOURCE SPATIAL LIBRARY TEMPORARY CATALOG`.split(/\s+/),
);

export function classifyDrop(tokens: readonly Token[]): Verdict {
  const kind = tokenAt(tokens, 1).key;
  if (kind === 'PREPARE') return forbidden('DROP PREPARE is session control.');
  if (!droppable.has(kind)) return forbidden('DROP of something this gate does not know.');
  const index = kind === 'TEMPORARY' ? 2 : 1;
  const after = keywordsAt(tokens, index + 1, 'IF', 'EXISTS') ? index + 3 : index + 1;
  const on = tokens.findIndex(token => token.key === 'ON');
  const isTable = ['TABLE', 'TABLES', 'VIEW', 'SEQUENCE'].includes(tokenAt(tokens, index).key);
  const tables = isTable ? namesAt(tokens, after) : kind === 'INDEX' && on > 0 ? namesAt(tokens, on + 1) : [];
  const what = kind === 'TEMPORARY' ? `TEMPORARY ${tokenAt(tokens, 2).key}` : kind;
  return destructive(say('DROP %@ removes it for good.', what), { tables, needsOwnSession: kind !== 'TEMPORARY' });
}

export function classifyTruncate(tokens: readonly Token[]): Verdict {
  const tables = namesAt(tokens, tokenAt(tokens, 1).key === 'TABLE' ? 2 : 1);
  return destructive(say('TRUNCATE removes every row.'), { ...inOwnSession, tables });
}

export function classifyRename(tokens: readonly Token[]): Verdict {
  const kind = tokenAt(tokens, 1).key;
  if (kind === 'USER') return destructive(say('RENAME USER changes who may do what.'), inOwnSession);
  if (kind !== 'TABLE' && kind !== 'TABLES') return forbidden('RENAME of something this gate does not know.');
  // What a client changed is also counted by table name. Under a new name, the count would begin
  // again.
  return destructive(say('RENAME TABLE moves rows away from the name under which programs look for them.'), {
    ...inOwnSession,
    tables: namesAt(tokens, keywordsAt(tokens, 2, 'IF', 'EXISTS') ? 4 : 2),
  });
}

export function classifyAlter(tokens: readonly Token[], schema: string | null): Verdict {
  if (isStoredCode(tokens)) {
    if (!blockEnds(tokens)) return forbidden('More than one statement was sent; send one at a time.');
    return destructive(say('ALTER of stored code changes what runs later, and whose rights it has.'), inOwnSession);
  }
  const kindIndex = tokens.findIndex((token, index) => index > 0 && kinds.has(token.key));
  const kind = tokenAt(tokens, kindIndex).key;
  switch (kind) {
    case 'TABLE':
      return classifyAlterTable(tokens, kindIndex, schema);
    case 'USER':
    case 'ROLE':
      return destructive(say('ALTER %@ changes who may do what.', kind), inOwnSession);
    case 'SERVER':
      return forbidden('ALTER SERVER names another host for the server to reach.');
    case 'INSTANCE':
    case 'RESOURCE':
    case 'LOGFILE':
    case 'UNDO':
      return forbidden(`ALTER ${kind} controls the server.`);
    case 'TABLESPACE':
      return hasKeywords(tokens, 'DATAFILE')
        ? forbidden('DATAFILE places a file on the server.')
        : destructive(say('ALTER TABLESPACE changes where tables are, and what it is called.'), inOwnSession);
    case 'VIEW':
      return destructive(say('ALTER VIEW replaces a definition.'), {
        ...inOwnSession,
        tables: alteredNames(tokens, kind),
      });
    case 'DATABASE':
    case 'SCHEMA':
      if (hasKeywords(tokens, 'READ', 'ONLY'))
        return destructive(say("ALTER %@ … READ ONLY locks everybody's writes out.", kind), inOwnSession);
      return destructive(say('ALTER %@ changes the defaults of tables that are created later.', kind), inOwnSession);
    case 'SEQUENCE':
      return destructive(
        say('ALTER SEQUENCE changes which values writes get: they may be taken already, or run out.'),
        {
          ...inOwnSession,
          tables: alteredNames(tokens, kind),
        },
      );
    default:
      return forbidden('ALTER of something this gate does not know.');
  }
}

const kinds = new Set(
  'TABLE USER ROLE SERVER INSTANCE RESOURCE LOGFILE UNDO TABLESPACE DATABASE SCHEMA VIEW SEQUENCE'.split(' '),
);

/** The altered object's name, or none. */
export function alteredNames(tokens: readonly Token[], kind: string): Verdict['tables'] {
  const index = tokens.findIndex(token => token.key === kind);
  return namesAt(tokens, keywordsAt(tokens, index + 1, 'IF', 'EXISTS') ? index + 3 : index + 1).slice(0, 1);
}

function classifyAlterTable(tokens: readonly Token[], kindIndex: number, schema: string | null): Verdict {
  const found = { ...inOwnSession, tables: alteredNames(tokens, 'TABLE') };
  const outside = outsideReach(tokens);
  if (outside !== null) return forbidden(outside);
  if (hasKeywords(tokens, 'IMPORT')) return forbidden('IMPORT TABLESPACE reads a file of the server.');
  const losses = lossesOf(tokens);
  const target = nameAt(tokens, keywordsAt(tokens, kindIndex + 1, 'IF', 'EXISTS') ? kindIndex + 3 : kindIndex + 1);
  const isPlain = tokens.slice(1, kindIndex).every(({ key }) => key === 'ONLINE');
  if (losses.length === 0 && (!isPlain || target === null))
    return destructive(say('ALTER TABLE in a form that is not known to keep rows.'), found);
  const kept = target === null ? { parts: [], asks: [] } : keptByAlter(tokens.slice(target.end));
  // A yes runs the parts that only the catalog would have asked about, too.
  if (losses.length > 0 || kept.parts.some(({ effects }) => effects.includes('unknown')))
    return destructive(allOf([...losses.map(({ reason }) => reason), ...besides(kept.parts, losses)]), found);
  const question = kept.asks.flatMap(({ kind, wider }) =>
    itemsOf(kind, found.tables, schema).map(item => (wider === undefined ? item : { ...item, wider })),
  );
  const told = besides(kept.parts, []);
  const parts = told.length > 1 ? { parts: allOf(told) } : {};
  return write(say('ALTER TABLE in a form that keeps what is there.'), { ...found, question, ...parts });
}

/**
 * What is lost by each part, in the words of people who know these subcommands, the strongest
 * first. A subcommand that is missing here still asks unless `keptByAlter` lists it.
 */
function lossesOf(tokens: readonly Token[]): readonly Loss[] {
  const columns = columnsCalledEngine(tokens);
  const found = tokens
    .map((_, index) => (index < 2 ? null : lossAt(tokens, index, columns)))
    .filter(loss => loss !== null);
  const ignores = hasKeywords(tokens, 'ALTER', 'IGNORE') || hasKeywords(tokens, 'ALTER', 'ONLINE', 'IGNORE');
  const ignored = {
    reason: say('ALTER IGNORE TABLE removes rows that do not fit.'),
    removes: true,
    at: tokenAt(tokens, 0),
  };
  return [
    ...(ignores ? [ignored] : []),
    ...found.filter(({ removes }) => removes),
    ...found.filter(({ removes }) => !removes),
  ];
}

/** Parts that say how the others are done. */
const manners = new Set('ALGORITHM LOCK WAIT NOWAIT WITH WITHOUT'.split(' '));

/** What the parts do that no loss tells of: first those that no list knows. */
function besides(parts: readonly AlteredPart[], losses: readonly Loss[]): readonly Reason[] {
  const rest = parts.filter(({ tokens }) => !losses.some(({ at }) => tokens.includes(at)));
  const unknown = rest.filter(({ effects }) => effects.includes('unknown'));
  const constraining = rest.filter(part => !unknown.includes(part) && part.effects.includes('constrains'));
  const others = rest.filter(
    part => !unknown.includes(part) && !constraining.includes(part) && !manners.has(tokenAt(part.tokens, 0).key),
  );
  return [
    ...unknown.map(({ words }) =>
      say('ALTER TABLE … %@ is not known to keep what rows, names and later writes mean.', words),
    ),
    ...constraining.map(({ words }) => say("ALTER TABLE … %@ may make other people's writes fail.", words)),
    ...others.map(({ words }) => say('ALTER TABLE … %@ changes the definition.', words)),
  ];
}

interface Loss {
  readonly reason: Reason;
  /** True if rows, or parts of them, go. */
  readonly removes: boolean;
  /** Where it says so. */
  readonly at: Token;
}

function lossAt(tokens: readonly Token[], index: number, columns: ReadonlySet<number>): Loss | null {
  const at = tokenAt(tokens, index);
  const removes = (reason: Reason): Loss => ({ reason, removes: true, at });
  const changes = (reason: Reason): Loss => ({ reason, removes: false, at });
  const { key } = at;
  const next = tokenAt(tokens, index + 1).key;
  const isNamed = ['ADD', 'COLUMN', 'EXISTS', 'AFTER', 'TO', '('].includes(tokenAt(tokens, index - 1).key);
  const engine = tokenAt(tokens, index + (next === '=' ? 2 : 1)).text.toUpperCase();
  if (key === 'DROP') return removes(say('ALTER TABLE … %@ removes a part of the table.', dropWords(tokens, index)));
  if (key === 'RENAME' && next === 'COLUMN')
    return changes(say('ALTER TABLE … RENAME COLUMN gives a name another meaning, for everybody who uses it.'));
  if (key === 'RENAME' && !['INDEX', 'KEY'].includes(next))
    return changes(say('ALTER TABLE … RENAME moves rows away from the name under which programs look for them.'));
  if ((key === 'MODIFY' || key === 'CHANGE') && widerColumn(partAt(tokens, index)) === null)
    return removes(say('ALTER TABLE … %@ %@ may cut values to a smaller type.', key, columnAt(tokens, index)));
  if (key === 'CONVERT') return removes(say('ALTER TABLE … CONVERT may lose characters or rows.'));
  if (key === 'TRUNCATE') return removes(say('TRUNCATE PARTITION removes every row of it.'));
  if (key === 'EXCHANGE')
    return removes(say('EXCHANGE PARTITION puts other rows in the place of those that are there.'));
  if (key === 'ALTER' && keywordsAt(tokens, index + 3, 'NOT', 'ENFORCED') && /^(CHECK|CONSTRAINT)$/.test(next))
    return changes(say('ALTER TABLE … NOT ENFORCED keeps a constraint from being checked.'));
  if (key === 'DISCARD') return removes(say('DISCARD TABLESPACE throws the rows away.'));
  if (key === 'ENGINE' && ['BLACKHOLE', 'MEMORY', 'HEAP'].includes(engine))
    return removes(say('ENGINE=%@ does not keep the rows.', engine));
  if (key === 'ENGINE' && !isNamed && !columns.has(index) && !ownTransactions.has(engine.toLowerCase()))
    return changes(say('ENGINE=%@ takes back no change: what a write changes would stay, however many rows.', engine));
  if (key === 'AUTO_INCREMENT' && next !== ',' && isOption(tokens, index))
    return changes(
      say('AUTO_INCREMENT = n sets where the numbers of new rows go on: they may be taken already, or run out.'),
    );
  return null;
}

/** `MODIFY [COLUMN] [IF EXISTS] name` */
function columnAt(tokens: readonly Token[], at: number): string {
  const named = tokenAt(tokens, at + 1).key === 'COLUMN' ? at + 2 : at + 1;
  return tokenAt(tokens, keywordsAt(tokens, named, 'IF', 'EXISTS') ? named + 2 : named).text;
}

/** `DROP COLUMN name`: up to the next comma, and no more than what names a part. */
function dropWords(tokens: readonly Token[], at: number): string {
  return partAt(tokens, at)
    .slice(0, mostDropWords)
    .map(({ text }) => text)
    .join(' ');
}

function partAt(tokens: readonly Token[], at: number): readonly Token[] {
  return tokens.slice(at, indexAtTop(tokens, at, comma));
}

const comma = new Set([',']);
/** `DROP FOREIGN KEY IF EXISTS name`. */
const mostDropWords = 6;

/** True for a table's `AUTO_INCREMENT = 5`; the AUTO_INCREMENT of a column has no value. */
function isOption(tokens: readonly Token[], index: number): boolean {
  return tokenAt(tokens, index + 1).key === '=' || tokenAt(tokens, index + 1).kind === 'number';
}

/**
 * Indexes where ENGINE is a column's name. In parentheses, ENGINE is the option only if `=` follows
 * it, or in a partition's definition.
 */
function columnsCalledEngine(tokens: readonly Token[]): ReadonlySet<number> {
  const columns = new Set<number>();
  const open: number[] = [];
  for (const [index, { key }] of tokens.entries()) {
    if (key === '(') open.push(index);
    else if (key === ')') open.pop();
    const first = tokenAt(tokens, (open.at(-1) ?? -2) + 1).key;
    const isPlain = key === 'ENGINE' && tokenAt(tokens, index + 1).key !== '=';
    if (isPlain && open.length > 0 && !/^(SUB)?PARTITION$/.test(first)) columns.add(index);
  }
  return columns;
}
