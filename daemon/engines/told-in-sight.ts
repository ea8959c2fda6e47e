/**
 * What a statement takes, for a client: without names and numbers of tables that are out of sight.
 * A person's own question has them.
 */

import type { Taken, TakenTable } from './count/taken.ts';
import type { Answer, CallContext, Database } from './engine.ts';
import { type Hidden, namesNone, pairsIn } from './in-sight/description.ts';

export type { Hidden };

/** @returns a failure if nobody can tell what is hidden. */
export async function takenForClient(database: Database, context: CallContext, taken: Taken): Promise<Answer<Taken>> {
  if (database.outOfSight === undefined) return { kind: 'done', value: taken };
  const hidden = await database.outOfSight(context);
  return hidden.kind === 'done' ? { kind: 'done', value: inSightAlone(taken, hidden.value) } : hidden;
}

function inSightAlone(taken: Taken, hidden: Hidden): Taken {
  const isTold = (text: string): boolean => isTextTold(text, hidden);
  const tables = taken.tables.filter(
    ({ name, because }) => isTableTold(name, hidden) && (because === null || isTold(because)),
  );
  const objects = taken.objects.filter(({ name }) => isTold(name));
  const added = taken.added?.filter(({ table }) => isTableTold(table, hidden));
  const notes = taken.notes.filter(isTold);
  const gone = [...taken.tables, ...taken.objects].filter(each => ![...tables, ...objects].includes(each));
  const isLess = gone.length > 0 || (added?.length ?? 0) < (taken.added?.length ?? 0);
  return {
    ...taken,
    tables,
    objects: isLess ? [...objects, { act: actOf(gone), name: unnamed }] : objects,
    ...(added !== undefined && { added }),
    notes: notes.length < taken.notes.length ? [...notes, unsaid] : notes,
    ...(taken.steps !== undefined && { steps: taken.steps.map(step => inSightAlone(step, hidden)) }),
  };
}

const unnamed = 'something that this connection keeps out of sight';
const unsaid = 'What else could not be counted is out of sight here.';

function actOf(gone: readonly { readonly act: TakenTable['act'] }[]): 'dropped' | 'altered' {
  return gone.some(({ act }) => act === 'dropped') ? 'dropped' : 'altered';
}

/** @param name unquoted, so any of its points may end the schema's name. */
export function isTableTold(name: string, hidden: Hidden): boolean {
  const points = [...name.matchAll(/\./g)].map(({ index }) => index);
  const isOut =
    points.length === 0
      ? hidden.isOut(null, name)
      : points.some(at => hidden.isOut(name.slice(0, at), name.slice(at + 1)));
  return !isOut && namesNone(name, hidden);
}

export function isTextTold(text: string, hidden: Hidden): boolean {
  return namesNone(text, hidden) && pairsIn(text).every(([schema, name]) => !hidden.isOut(schema, name));
}
