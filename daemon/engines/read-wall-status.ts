/**
 * Adds to what a server says about itself whether it refuses writes, by a read as a client's, and
 * whether it ends what is to end.
 */

import type { Answer, CallContext, Database, ServerStatus } from './engine.ts';
import type { ReadWall } from './read-wall.ts';
import { type Stops, stopWarnings } from './stopping.ts';

export type WithoutWall = Omit<ServerStatus, 'isReadWallMissing' | 'readWallSaid'>;

export async function withTrials(
  database: Pick<Database, 'run'>,
  wall: ReadWall,
  context: CallContext,
  answer: Answer<WithoutWall>,
  tryStops: () => Promise<Answer<Stops>>,
): Promise<Answer<ServerStatus>> {
  if (answer.kind !== 'done') return answer;
  const read = { sql: 'SELECT 1', parameters: [], session: 'read', isStateless: true } as const;
  const limits = { cellBytes: 64, wireBytes: 64 * 1024 };
  const outcome = await database.run({ ...context, ...read, limits }, { columns: () => {}, row: () => true });
  if (outcome.kind !== 'done' && outcome.kind !== 'unproved_wall') return outcome;
  const stops = await tryStops();
  const warnings = [...answer.value.warnings, ...(stops.kind === 'done' ? stopWarnings(stops.value) : [])];
  const { isMissing: isReadWallMissing, said: readWallSaid } = wall;
  return { kind: 'done', value: { ...answer.value, warnings, isReadWallMissing, readWallSaid } };
}
