/**
 * Everything that is found in one text: what its statement does, and what the queries do that
 * functions in it get as literal text.
 */

import type { Stored } from './notes.ts';
import type { Parse } from './parser.ts';
import type { CatalogQuestion } from './question.ts';
import { english, forbidden, isStronger, outweighs } from './verdict.ts';
import { type Finding, Walk } from './walk.ts';

interface Examined {
  readonly findings: readonly Finding[];
  /** What only the catalog can tell. */
  readonly questions: readonly CatalogQuestion[];
  /** The walk over the statement itself. */
  readonly walk: Walk;
  /** As in `Names`, for the statement and those queries. */
  readonly dependsOnRole: boolean;
}

/** @param stored given for stored code; null for what a client wrote. */
export function examine(statement: unknown, parse: Parse, stored: Stored | null = null): Examined {
  const walk = new Walk(statement, stored);
  const findings: Finding[] = [...walk.findings];
  const questions = [walk.notes.names.question()];
  let { dependsOnRole } = walk.notes.names;
  const texts = [...walk.notes.texts];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const parsed = parse(text);
    if (parsed.kind !== 'statements' || parsed.statements.length !== 1) {
      findings.push(
        forbidden("A query given as text isn't one statement that can be checked; write the query itself."),
      );
      continue;
    }
    const inner = new Walk(parsed.statements[0], stored);
    const other = inner.findings.find(finding => outweighs(finding.class, 'read'));
    if (other !== undefined || inner.findings.length === 0) {
      findings.push(forbidden(`A query given as text must only read. ${english(other?.reason ?? '')}`.trim()));
    }
    questions.push(inner.notes.names.question());
    texts.push(...inner.notes.texts);
    dependsOnRole ||= inner.notes.names.dependsOnRole;
  }
  return { findings, questions: questions.filter(question => question !== null), walk, dependsOnRole };
}

export function heaviestOf(findings: readonly Finding[]): Finding {
  const first = findings[0] ?? forbidden('The statement is not understood.');
  return findings.reduce((one, other) => (isStronger(other, one) ? other : one), first);
}
