/**
 * Which class a PostgreSQL statement has (spec §7), by the server's own grammar. Pure: what the
 * catalog knows comes in as data. A statement that isn't understood is never a read.
 */

import { foreignListing } from '../foreign-listings.ts';
import { joinReasons, type Reason, reasonOf, say, worded } from '../reason.ts';
import type { QualifiedName } from '../types.ts';
import { readingWithBackslashEscapes } from './backslash.ts';
import { raisedByCatalog } from './catalog.ts';
import type { PostgresCatalog } from './catalog-facts.ts';
import { dataChanges } from './changing-nodes.ts';
import { examine, heaviestOf } from './examine.ts';
import { needsOwnSession } from './own-session.ts';
import type { Parse, Parsed } from './parser.ts';
import { questionOf } from './question.ts';
import { refusePostgresText } from './text.ts';
import { type Fields, isOptionOn, optionsOf, taggedNode } from './tree.ts';
import type { PostgresClassification } from './types.ts';
import { forbidden, outweighs, type Verdict } from './verdict.ts';
import type { Finding } from './walk.ts';

export interface ClassifyPostgres {
  (sql: string): PostgresClassification;
  /**
   * In: a classification, and the catalog's answer to its question. Out: the classification with
   * that. If it has a next question, that is asked as well.
   */
  withCatalog(classification: PostgresClassification, catalog: PostgresCatalog): PostgresClassification;
}

function unrun(verdict: Verdict): PostgresClassification {
  const flags = { needsOwnSession: false, isDml: false, isUnboundedDml: false };
  return { class: verdict.class, ...worded(verdict.reason), tables: [], calls: [], ...flags, ...nothingLeft };
}

const nothingLeft = {
  rows: 'none' as const,
  foreign: [],
  question: null,
  asked: [],
  dependsOnRole: true,
  bendsPath: false,
  makesView: false,
  isCall: false,
  defines: null,
};

function uniqueNames(names: readonly QualifiedName[]): readonly QualifiedName[] {
  return [...new Map(names.map(({ schema, name }) => [`${schema ?? ''}\0${name}`, { schema, name }])).values()];
}

const uniqueOrNull = (names: readonly QualifiedName[] | null) => (names === null ? null : uniqueNames(names));

function reasonOfRead(statement: unknown, heaviest: Finding, calls: readonly QualifiedName[]): Reason {
  const node = taggedNode(statement);
  const names = calls.map(call => call.name).join(', ');
  if (names !== '') return `A query that changes nothing itself; what it calls (${names}) is not built in.`;
  if (node?.tag !== 'ExplainStmt') return heaviest.reason;
  return isAnalyzed(node.fields)
    ? 'EXPLAIN ANALYZE runs a query that changes nothing.'
    : 'A plain EXPLAIN only plans the statement.';
}

function classifyStatement(statement: unknown, parse: Parse): PostgresClassification {
  const node = taggedNode(statement);
  if (node === null || !node.tag.endsWith('Stmt')) return unrun(forbidden('The statement is not understood.'));
  const { findings, questions, walk, dependsOnRole } = examine(statement, parse);
  const { makesView } = walk;
  const { names } = walk.notes;
  const heaviest = heaviestOf(findings);
  const isDml = dataChanges.has(node.tag);
  const destructions = findings.filter(finding => finding.class === 'destructive');
  const isRead = heaviest.class === 'read';
  const asked = new Set<string>();
  const calls = uniqueNames(names.calls);
  return {
    class: heaviest.class,
    ...worded(isRead ? reasonOfRead(statement, heaviest, calls) : heaviest.reason),
    tables: names.tables,
    calls,
    needsOwnSession: needsOwnSession(node.tag, node.fields),
    isDml,
    ...(!isDml && walk.changes.length > 0 && { runsDml: true }),
    isUnboundedDml:
      isDml && heaviest.class === 'destructive' && destructions.every(finding => finding.isUnbounded === true),
    isPlan: node.tag === 'ExplainStmt' && !isAnalyzed(node.fields),
    rows: rowsOf(node.tag, findings),
    foreign: [],
    question: heaviest.class === 'forbidden' ? null : questionOf(questions, asked),
    asked: [...asked],
    dependsOnRole,
    bendsPath: false,
    makesView,
    isCall: node.tag === 'CallStmt',
    defines: uniqueOrNull(walk.defines),
  };
}

/** No count that the server gives includes a change within a WITH or an EXPLAIN. */
function rowsOf(tag: string, findings: readonly Finding[]): PostgresClassification['rows'] {
  const [change, other] = findings.filter(finding => finding.isUnbounded !== undefined);
  if (change === undefined) return 'none';
  if (other !== undefined || !dataChanges.has(tag) || change.isNarrow === false) return 'any';
  return tag === 'InsertStmt' ? 'none' : 'named';
}

function isAnalyzed(explain: Fields): boolean {
  return isOptionOn(optionsOf(explain.options), 'analyze');
}

function classifyParsed(parsed: Parsed, parse: Parse, inner: Inner): PostgresClassification {
  if (parsed.kind === 'refused') {
    const at = parsed.character === null ? '' : ` at character ${parsed.character}`;
    const quoting = `Not valid PostgreSQL (${parsed.message}${at}). Nothing ran; correct it.`;
    return { ...unrun(forbidden(quoting)), reasonForLog: 'Not valid PostgreSQL. Nothing ran; correct it.' };
  }
  if (parsed.kind === 'too_deep')
    return unrun(forbidden('The statement is nested too deeply to be checked; simplify it.'));
  const count = parsed.statements.length;
  if (count === 0) return unrun(forbidden('The statement is empty; send one.'));
  if (count > 1) return unrun(forbidden(`These are ${count} statements; send one at a time.`));
  return classifyStatement(inner(parsed.statements[0]), parse);
}

/** The part of a statement that is judged; null if there is none, which is no read. */
type Inner = (statement: unknown) => unknown;

/** Classifies what `inner` finds in a text's one statement, whichever way the text is read. */
export function classifyWithin(sql: string, parse: Parse, inner: Inner): PostgresClassification {
  const refused = refusePostgresText(sql);
  if (refused !== null) return unrun(refused);
  // To the grammar, SHOW tables shows a setting, but none has that name.
  const listing = foreignListing('postgres', sql);
  if (listing !== null) return unrun(forbidden(listing));
  const classification = classifyParsed(parse(sql), parse, inner);
  const rewritten = readingWithBackslashEscapes(sql);
  if (rewritten === null || classification.class === 'forbidden') return classification;
  const parsed = parse(rewritten);
  // A server that reads the text in this way would refuse it.
  if (parsed.kind === 'refused') return classification;
  const other = classifyParsed(parsed, parse, inner);
  if (!outweighs(other.class, classification.class)) return classification;
  const why = joinReasons(
    say('On a server where a backslash escapes, this means something else:'),
    reasonOf(other),
    say("Write such strings as E'…'."),
  );
  return { ...other, ...worded(why) };
}

/** @returns a synchronous function that keeps nothing between statements. */
export function postgresClassifier(parse: Parse): ClassifyPostgres {
  return Object.assign((sql: string) => classifyWithin(sql, parse, statement => statement), {
    withCatalog: (classification: PostgresClassification, catalog: PostgresCatalog) =>
      raisedByCatalog(classification, catalog, parse),
  });
}
