/**
 * Puts the published attacks to the guard, with the names of a database's own tables (spec §7).
 * Runs none of them.
 */

import { type AttackKind, attackKinds } from '../../shared/proof-codes.ts';
import type { Classifier } from '../engines/classifier.ts';
import type { CallContext, Database } from '../engines/engine.ts';
import { type AttackGroup, named } from '../guard/attacks/attack.ts';
import type { StatementClass } from '../guard/types.ts';
import type { AttackNames } from './attack-names.ts';

export interface PutAttacks {
  readonly kind: AttackKind;
  /** Attacks that the guard answered. */
  readonly tried: number;
  /** Each of them with its class; null if the server doesn't know what it says. */
  readonly statements: readonly { readonly sql: string; readonly class: StatementClass | null }[];
  /** Those that it takes for a read, or for a lower class than is published. */
  readonly passed: readonly { readonly sql: string; readonly class: StatementClass }[];
  /** Attacks of class write. */
  readonly writes: number;
  /** The database has no name to put in, or no answer came in time. */
  readonly untried: number;
}

export interface Putting {
  readonly database: Database;
  readonly classifier: Classifier;
  readonly context: CallContext;
  readonly groups: readonly AttackGroup[];
  readonly names: AttackNames;
}

/** From the mildest on. */
const classes: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];

/** Ends early if the context's signal is aborted; the rest is untried. */
export async function putAttacks({ groups, names, ...putting }: Putting): Promise<readonly PutAttacks[]> {
  const put = new Map<AttackKind, PutAttacks>();
  for (const group of groups) {
    const before = put.get(group.kind) ?? {
      kind: group.kind,
      tried: 0,
      statements: [],
      passed: [],
      writes: 0,
      untried: 0,
    };
    put.set(group.kind, await putGroup(before, group, names, putting));
  }
  return attackKinds.flatMap(kind => put.get(kind) ?? []);
}

async function putGroup(
  before: PutAttacks,
  group: AttackGroup,
  names: AttackNames,
  { database, classifier, context }: Omit<Putting, 'groups' | 'names'>,
): Promise<PutAttacks> {
  let { tried, writes, untried } = before;
  const passed = [...before.passed];
  const statements = [...before.statements];
  for (const statement of group.statements) {
    // Its names are those of our own servers.
    const isOurs = group.decidedBy !== undefined;
    const sql = isOurs ? null : named(statement, names);
    const found =
      sql === null || context.signal.aborted ? null : await database.follow(classifier, context, sql, 'remembered');
    if (sql === null || found === null || (found.kind === 'failed' && !isNamed(found.failure))) {
      if (!isOurs) untried++;
      continue;
    }
    tried++;
    // What the server itself doesn't know can't run.
    const given = found.kind === 'failed' ? null : found.classification.class;
    statements.push({ sql, class: given });
    if (given === null) continue;
    if (group.class === 'write') writes++;
    if (classes.indexOf(given) < classes.indexOf(group.class)) passed.push({ sql, class: given });
  }
  return { kind: before.kind, tried, statements, passed, writes, untried };
}

const isNamed = ({ kind }: { readonly kind: string }): boolean => kind === 'query_failed' || kind === 'unsupported';
