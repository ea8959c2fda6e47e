/**
 * Plans the preview of a data change, or says why there is none: what a rollback can't undo isn't
 * run.
 */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import type { PostgresDataChange } from '../../guard/postgres/data-change.ts';
import { outlives } from '../../guard/postgres/functions.ts';
import type { Classification } from '../../guard/types.ts';
import { valueOrThrow } from '../answering.ts';
import type { Classifier } from '../classifier.ts';
import type { WithDatabase } from '../engine.ts';
import {
  listed,
  notSampled,
  otherKey,
  type Plan,
  type Planning,
  refuse,
  type Sampling,
  sampledByReturning,
  targetIsView,
  withoutKey,
} from '../preview-plan.ts';
import { type PostgresFacts, postgresFacts, triggersOf } from './preview/facts.ts';
import { refuseLasting } from './preview/hooks.ts';

export async function planPreview(classifier: Classifier, planning: WithDatabase<Planning>): Promise<Plan> {
  const { database, context, classification, sql } = planning;
  const change = valueOrThrow(await classifier.ask(context, 'postgresDataChange', sql));
  if (change === null) refuse('The statement changes no rows by itself, so it is not tried out.');
  const lasting = change.functions.find(outlives);
  if (lasting !== undefined) refuse(`What ${lasting} does outlives a rollback, so the statement is not tried out.`);
  const facts = await postgresFacts(database, context, change.writes);
  const [foreign] = facts.foreignTables;
  if (foreign !== undefined) {
    refuse(
      `${foreign} is a foreign table, and what another server does with a change can't be rolled back for sure, so the statement is not tried out.`,
    );
  }
  const behindUsesNumbers = await refuseLasting(classifier, planning, change.writes, facts.hooks);
  const { hooks } = facts;
  return {
    sql,
    sample: samplingOf(change, facts.target),
    warnings: warningsOf(classification, change),
    triggersOf,
    deferred: { sql: 'SET CONSTRAINTS ALL IMMEDIATE' },
    usesNumbers:
      behindUsesNumbers || change.functions.includes('nextval') || (change.usesDefaults && hooks.usesNumbers),
    onlyAdds:
      change.verb === 'insert' &&
      change.sets.length + hooks.functions.length + hooks.definitions.length + classification.calls.length === 0 &&
      !change.writesInWith,
  };
}

function samplingOf(change: PostgresDataChange, target: PostgresFacts['target']): Sampling {
  if (change.verb === null) return notSampled('its data changes are within another statement');
  if (change.verb === 'merge') return notSampled('MERGE does not tell which rows it changes');
  if (target === null) return notSampled('the table was not found');
  if (target.isView) return targetIsView;
  if (target.hasRules) return notSampled('rules of the table may rewrite the statement');
  if (!target.mayRead) return notSampled('this role may not read all rows of the table');
  if (target.key.length === 0) return withoutKey(target.hasKey);
  if (change.sets.some(name => target.key.includes(name))) return otherKey;
  const alias = quoteIdentifier('postgres', change.targetAlias);
  const key = target.key.map(name => quoteIdentifier('postgres', name));
  return sampledByReturning(
    change,
    target.name,
    key,
    target.key,
    key.map(name => `${alias}.${name}`),
  );
}

function warningsOf(classification: Classification, change: PostgresDataChange): readonly string[] {
  const warnings: string[] = [];
  if (classification.calls.length > 0) {
    const names = classification.calls.map(call => call.name);
    warnings.push(`Functions ran for real (${listed(names)}): what they did outside this database is not rolled back.`);
  }
  if (change.writesInWith) warnings.push('rows_affected leaves out what the WITH queries change.');
  return warnings;
}
