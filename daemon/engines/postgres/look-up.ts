/**
 * Asks our own catalog questions: read-only, with pg_catalog first in the path, so no operator of a
 * user answers instead.
 */

import type { Answer, CallContext, Parameter } from '../engine.ts';
import { inTime } from '../in-time.ts';
import { atStep } from '../look-up.ts';
import { cellsOf, type RowText } from '../row-text.ts';
import type { Pool } from './pool.ts';
import { run } from './run.ts';
import { typeNames } from './wire/type-names.ts';

/** The largest described table: 1,600 columns with comments. */
const answerLimits = { cellBytes: 16 * 1024 * 1024, wireBytes: 32 * 1024 * 1024 };

const ours = { isOurs: true, isStateless: true };

/** Our questions give text, which needs no name looked up. */
const noNames = typeNames(async () => null);

/**
 * @param isBeside true if the call holds a session already.
 * @returns the first column of each row; every question here selects one column of text.
 */
export async function ask(
  pool: Pool,
  context: CallContext,
  sql: string,
  parameters: readonly Parameter[],
  isBeside = false,
): Promise<Answer<readonly string[]>> {
  const values: string[] = [];
  let cut = false;
  const row = (given: RowText) => {
    const [cell] = cellsOf(given);
    if (given.cuts.length > 0) cut = true;
    else if (typeof cell === 'string') values.push(cell);
    return true;
  };
  const request = {
    ...context,
    schema: 'pg_catalog',
    sql,
    parameters,
    session: 'read' as const,
    limits: answerLimits,
    ...ours,
    isBeside,
  };
  const asks = (asked: typeof request) => run(pool, noNames, asked, { columns() {}, row });
  // Whoever holds a session has its turn, and its time with it.
  const outcome = await (isBeside ? inTime(pool.ports.now, request, asks) : asks(request));
  if (outcome.kind !== 'done') return atStep('look_up', outcome);
  if (cut || outcome.cutByWire)
    return { kind: 'unsupported', message: 'The catalog of this database is too large to be read at once.' };
  return { kind: 'done', value: values };
}
