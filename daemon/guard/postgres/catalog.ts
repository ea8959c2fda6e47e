/**
 * What a server's catalog adds to a classification (spec §7): what the statement's names mean
 * there, and the code that runs behind them. It only ever raises a class. What it shows may name
 * further things, which are asked about next. Asks nothing itself.
 */

import { builtInNames } from './built-in-names.ts';
import type { FunctionFact, PostgresCatalog, RelationFact } from './catalog-facts.ts';
import { actingFunction } from './functions.ts';
import { verdictOnRelation } from './notes.ts';
import type { Parse } from './parser.ts';
import { everyRelationAsked, questionOf } from './question.ts';
import { asksForRole, showsByRole } from './role-dependence.ts';
import { searchPathOf } from './search-path.ts';
import { baseOf, type ClassifiedCode, classifyExpression, classifyRoutine, classifyView } from './stored-code.ts';
import { isSystemCatalog } from './system-catalogs.ts';
import { type PostgresClassification, raisedBy } from './types.ts';
import { destructive, forbidden, joinReasons, say, type Verdict, write } from './verdict.ts';
import { volatileReads, volatileReadsOfExtensions } from './volatile-reads.ts';

const nothingClassified: ClassifiedCode = { findings: [], questions: [], called: [], dependsOnRole: false };
const classifiedAs = (...findings: readonly Verdict[]): ClassifiedCode => ({ ...nothingClassified, findings });

/** A statement whose names lead to more than this is refused: nobody checks all that. */
const mostAsked = 5_000;

function classifyRelation(fact: RelationFact, makesView: boolean, parse: Parse): readonly ClassifiedCode[] {
  if (fact.role === 'changed' && isSystemCatalog(fact)) {
    return [classifiedAs(forbidden('It is a catalog of the server, which no client may change by hand.'))];
  }
  const base = makesView && fact.definition !== null ? baseOf(fact.definition, parse) : null;
  const verdict = verdictOnRelation(fact, makesView) ?? (base === null ? null : verdictOnRelation(base, true));
  return [
    verdict === null ? nothingClassified : classifiedAs(verdict),
    // No policy binds a superuser, and another server is asked with the account that is kept for
    // the role.
    { ...nothingClassified, dependsOnRole: fact.rowSecurity || fact.kind === 'f' || showsByRole(fact) },
    fact.runsProgram ? classifiedAs(forbidden('it runs a program of the database server.')) : nothingClassified,
    fact.definition === null ? nothingClassified : classifyView(fact.definition, fact.role === 'changed', parse),
    ...fact.expressions.map(text => classifyExpression(text, parse)),
  ];
}

function classifyFunction(fact: FunctionFact, isBent: boolean, parse: Parse): ClassifiedCode {
  const acting = actingFunction(fact.schema, fact.source ?? fact.name, fact.argumentCount);
  if (acting !== null && !isTextClassified(fact)) return classifiedAs(acting);
  if (fact.definition !== null) {
    return classifyRoutine(fact.definition, fact.language, searchPathOf(fact.path), isBent, parse);
  }
  if (fact.schema === 'pg_catalog' || fact.kind === 'a') {
    const isKnown = builtInNames.has(fact.name) || volatileReads.has(fact.name);
    return fact.volatile && !isKnown && fact.kind !== 'a' ? classifiedAs(volatile) : nothingClassified;
  }
  if (fact.ofExtension) {
    return fact.volatile && !volatileReadsOfExtensions.has(fact.name) ? classifiedAs(volatile) : nothingClassified;
  }
  // A built-in's code isn't always named like it: `pg_read_file(text)` is `pg_read_file_all`.
  if (fact.language === 'internal' && !builtInNames.has(fact.source ?? '') && !ofRangeType.test(fact.source ?? '')) {
    return classifiedAs(forbidden('it is a function of the server itself under another name, which is not known.'));
  }
  if (fact.language === 'internal') return fact.volatile ? classifiedAs(volatile) : nothingClassified;
  return classifiedAs({
    ...write(say("it is written in %@, which can't be checked.", fact.language)),
    isNarrow: false,
    isUnseen: true,
  });
}

/**
 * An extension declares immutable what it computes from its arguments alone. Its other functions
 * may ask who calls.
 */
function mayAskForRole({ forAll, ofExtension, immutable, definition, name, source }: FunctionFact): boolean {
  return !forAll || (ofExtension && definition === null && !immutable) || asksForRole(source ?? name);
}

/** The functions that CREATE TYPE … AS RANGE makes. */
const ofRangeType = /^(multi)?range_constructor[0-3]$/;

const volatile: Verdict = { ...write(say('it is declared volatile, so calling it may write.')), isUnseen: true };

/** The query that it runs stands in the statement, and was classified there. */
function isTextClassified({ name, ofExtension }: FunctionFact): boolean {
  return ofExtension && /^crosstab/.test(name);
}

/** If a function sets its own search path, those that it calls run under it, too. */
export function setsOwnPath({ functions }: PostgresCatalog): boolean {
  return functions.some(({ path, definition }) => path !== null && definition !== null);
}

/** Everything that a catalog answered, each with the name of the object that it belongs to. */
export function classifyAll(
  catalog: PostgresCatalog,
  makesView: boolean,
  bendsPath: boolean,
  parse: Parse,
): readonly { readonly what: string; readonly code: ClassifiedCode }[] {
  return [
    ...catalog.relations.flatMap(fact =>
      classifyRelation(fact, makesView, parse).map(code => ({ what: `${fact.schema}.${fact.name}`, code })),
    ),
    ...catalog.functions.map(fact => ({
      what: `${fact.schema}.${fact.name}`,
      code: classifyFunction(fact, bendsPath, parse),
    })),
    ...[...catalog.checks, ...catalog.defaults].map(text => ({
      what: 'a domain that values are checked by',
      code: classifyExpression(text, parse),
    })),
  ];
}

/** The result's question is what is left to ask; null if the classification stands. */
export function raisedByCatalog(
  classification: PostgresClassification,
  catalog: PostgresCatalog,
  parse: Parse,
): PostgresClassification {
  const asked = new Set(classification.asked);
  const bendsPath = classification.bendsPath || setsOwnPath(catalog);
  const classified = classifyAll(catalog, classification.makesView, bendsPath, parse);
  const dependsOnRole =
    classification.dependsOnRole ||
    catalog.withheld ||
    classified.some(({ code }) => code.dependsOnRole) ||
    catalog.functions.some(mayAskForRole);
  const question = questionOf(
    classified.flatMap(({ code }) => code.questions),
    asked,
  );
  const found = classified.flatMap(({ what, code }) =>
    code.findings.map(finding => ({ ...finding, reason: joinReasons(say('Behind %@:', what), finding.reason) })),
  );
  // The counting query was classified as PostgreSQL's own `format` builds it.
  if (
    asked.has(everyRelationAsked) &&
    catalog.functions.some(({ name, schema }) => name === 'format' && schema !== 'pg_catalog')
  ) {
    found.push(forbidden("A user's function takes the place of format, so it is unknown what is counted."));
  }
  if (catalog.hasSecretSettings) {
    found.push(forbidden("This server's settings hold a password; SHOW the one setting that is wanted."));
  }
  if (asked.size > mostAsked) found.push(forbidden('It leads to more code than can be checked.'));
  const isOver = asked.size > mostAsked;
  // Only a procedure that is called may commit. Code that a query calls is counted, and fails if it
  // commits.
  const needsOwnSession =
    classification.needsOwnSession || (classification.isCall && found.some(finding => finding.endsTransaction));
  // Code that changes rows, or can't be looked into, changes them besides the rows that the server
  // counts for the statement.
  const rows = found.some(finding => finding.isNarrow !== undefined) ? 'any' : classification.rows;
  const written = catalog.relations.filter(({ role, kind }) => role === 'changed' && kind === 'f');
  const foreign = [...classification.foreign, ...written.map(({ name, rollsBack }) => ({ name, rollsBack }))];
  const elsewhere = foreign.find(({ rollsBack }) => rows === 'any' || (rows === 'named' && !rollsBack));
  if (elsewhere !== undefined) {
    const why =
      rows === 'any'
        ? say('no `column = value` of the statement, with no code behind it, says which rows of it change.')
        : say('another wrapper than postgres_fdw may not roll back what it did.');
    const changed = say("It changes the foreign table %@, whose rows can't be counted here:", elsewhere.name);
    found.push(destructive(joinReasons(changed, why)));
  }
  const uncounted = found.find(finding => finding.isNarrow === false && finding.class === 'write');
  if (needsOwnSession && uncounted !== undefined) {
    found.push(
      destructive(
        joinReasons(uncounted.reason, say("It runs outside our transaction, so the rows can't be counted first.")),
      ),
    );
  }
  return {
    ...raisedBy(classification, found),
    needsOwnSession,
    rows,
    foreign,
    question: isOver ? null : question,
    asked: [...asked],
    dependsOnRole,
    bendsPath,
  };
}
