/**
 * Runs the classified statements that are no reads, one by one, through one session of an account
 * with the classifier off.
 */

import type { StatementRequest } from '../../daemon/engines/engine.ts';
import { collect } from '../engines/collecting-sink.ts';
import { statementsFor } from './statements.ts';
import { changedParts, type World } from './world.ts';

export async function judgedThrough(
  world: World,
  account: string,
  how: Pick<StatementRequest, 'session' | 'mayRunAsReader'>,
) {
  const ran: string[] = [];
  /** Statements with what they changed, as `statement: parts`. */
  const changed: string[] = [];
  let before = await world.state(account);
  for (const { sql, class: given, walls } of statementsFor(world.engine)) {
    if (given === 'read' || walls !== 'measured') continue;
    const { outcome, rows } = await collect(world.database(account), world.place(sql), {
      ...how,
      timeoutSeconds: 5,
      most: 50,
    });
    // Without the privilege LOAD_FILE gives NULL: nothing ran and nothing is revealed.
    const isNothing = rows.length > 0 && rows.every(row => row.every(cell => cell === null));
    if (outcome.kind === 'done' && !isNothing) ran.push(sql);
    const parts = changedParts(before, await world.state(account).catch(() => ({ server: 'gone' })));
    if (parts.length === 0) continue;
    changed.push(`${sql}: ${parts.join(', ')}`);
    await world.reset();
    before = await world.state(account);
  }
  return { ran, changed };
}
