/**
 * Classifies a MySQL or MariaDB statement from its text alone (spec §7). The class is the worst
 * over every way a server may read the text. Asks no server: `catalog.ts` adds what a server knows.
 */

import { foreignListing } from '../foreign-listings.ts';
import { say, worded } from '../reason.ts';
import { refuseText } from '../text.ts';
import type { Classification } from '../types.ts';
import type { CatalogItem } from './question.ts';
import { readings } from './reading.ts';
import { classifyTokens } from './statements.ts';
import { tokenize } from './tokenizer.ts';
import { atLeast, forbidden, isWorse, type Verdict } from './verdict.ts';

/**
 * Limits the characters over all readings of a text, so a hostile text can't occupy the process for
 * seconds.
 */
const maxCharactersRead = 1_000_000;

export interface MysqlClassification extends Classification {
  /** What to ask the catalog; its answer may raise the class. */
  readonly question: readonly CatalogItem[];
  readonly readsIfCalledDoes?: true;
  readonly countsOne?: 'updated' | 'deleted';
  readonly ownEffect?: 'adds' | 'changes';
  readonly parts?: Verdict['parts'];
}

/**
 * @param schema where names without a schema are looked up; empty if there is none, or it is
 *   unknown.
 */
export function classifyMysql(sql: string, schema = ''): MysqlClassification {
  const {
    changes: _changes,
    change: _change,
    by: _by,
    named: _named,
    reason,
    ...classification
  } = classifyEachReading(sql, schema === '' ? null : schema);
  return { ...classification, ...worded(reason) };
}

function classifyEachReading(sql: string, schema: string | null): Verdict {
  const refused = refuseText(sql);
  if (refused !== null) return forbidden(refused);
  const listing = foreignListing('mysql', sql);
  if (listing !== null) return forbidden(listing);
  const ways = readings(sql);
  if (ways === null) return forbidden('The statement holds too many version-dependent comments; remove them.');
  if (ways.length * sql.length > maxCharactersRead) {
    return forbidden('The statement is too long for the many ways servers may read its quotes and comments.');
  }
  let worst: Verdict | null = null;
  let empty: Verdict | null = null;
  let failure: string | null = null;
  let hasExecutableComment = false;
  for (const way of ways) {
    const cut = tokenize(sql, way);
    if (cut.kind === 'failure') {
      if (cut.hostile) return forbidden(cut.sentence);
      failure ??= cut.sentence;
      continue;
    }
    if (cut.hasExecutableComment) hasExecutableComment = true;
    const answer = classifyTokens(cut.tokens, schema);
    // Nothing runs if a server skips the whole text, or sees it begin with a number (which it took
    // for half of a version). Such a reading decides only if there is no other.
    if (cut.tokens.length === 0 || cut.tokens[0]?.kind === 'number') empty ??= answer;
    else if (worst === null) worst = answer;
    else worst = merged(worst, answer);
  }
  const found = worst ?? empty ?? forbidden(failure ?? 'The statement is empty; send one.');
  if (!hasExecutableComment) return found;
  // `/*!99999 DROP TABLE t */` alone is empty on every server that exists.
  if (worst === null && failure === null) return atLeast({ ...found, class: 'read' }, 'write', executableComment);
  return atLeast(found, 'write', executableComment);
}

const executableComment = say('An executable comment is code on some servers, whatever it holds on this one.');

function merged(one: Verdict, other: Verdict): Verdict {
  const [worse, better] = isWorse(other.class, one.class) ? [other, one] : [one, other];
  const unique = <T>(items: readonly T[]): T[] => [
    ...new Map(items.map(item => [JSON.stringify(item), item])).values(),
  ];
  // If servers read the text differently, it is unknown which table a count is of.
  const { countsOne: _countsOne, ownEffect, ...rest } = worse;
  return {
    ...rest,
    ...(ownEffect !== undefined && ownEffect === better.ownEffect && { ownEffect }),
    tables: unique([...worse.tables, ...better.tables]),
    calls: unique([...worse.calls, ...better.calls]),
    question: unique([...worse.question, ...better.question]),
    needsOwnSession: worse.needsOwnSession || better.needsOwnSession,
    isUnboundedDml: worse.isUnboundedDml || better.isUnboundedDml,
  };
}
