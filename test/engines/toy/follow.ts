/**
 * Classifies a statement by its text alone. The first wall: what isn't understood is never a read.
 */

import type { Classified } from '../../../daemon/engines/classified.ts';
import { asClassified } from '../../../daemon/engines/classified.ts';
import { worded } from '../../../daemon/guard/reason.ts';
import { parse } from './run/statement.ts';

const reasons = {
  select: 'It reads.',
  insert: 'It adds rows.',
  update: 'It changes rows.',
  delete: 'It deletes rows.',
};

export async function follow(sql: string): Promise<Classified> {
  const statement = parse(sql);
  const isDml = statement !== null && statement.verb !== 'select';
  const isUnboundedDml = isDml && !statement.isBounded;
  const given = statement === null ? 'forbidden' : isUnboundedDml ? 'destructive' : isDml ? 'write' : 'read';
  return asClassified({
    kind: 'done',
    value: {
      ...{ class: given, isDml, isUnboundedDml, needsOwnSession: false, calls: [] },
      ...worded(
        statement === null ? 'That is no statement of the toy engine; select from a table.' : reasons[statement.verb],
      ),
      tables: statement === null ? [] : [{ schema: null, name: statement.table }],
    },
  });
}
