/**
 * Wires the standings of connections and tokens to the activity log (spec §14): its rows at the
 * start, what is recorded, and the notes.
 */

import { openStandings, type StandingSubject, type Standings } from './access/standing/standings.ts';
import type { OpenActivityLog } from './storage/activity/log.ts';
import type { Undo } from './undo.ts';

interface StandingsPorts extends Omit<Parameters<typeof openStandings>[0], 'rows' | 'state'> {
  readonly activity: Pick<OpenActivityLog, 'stated' | 'record'>;
}

const day = 86_400_000;
/** Half as long as the log keeps rows. */
const againAfterMilliseconds = 45 * day;

export async function standingsIn({ activity, ...ports }: StandingsPorts, undo: Undo): Promise<Standings> {
  const admin = { category: 'admin', action: 'access.state' } as const;
  const standings = openStandings({
    ...ports,
    rows: await activity.stated(),
    state: (about, stated) => activity.record({ ...admin, ...subjectOf(about), outcome: 'success', ...stated }),
  });
  for (const { about, what } of standings.unknown())
    activity.record({ ...admin, ...subjectOf(about), outcome: 'error', reason: `The log doesn't know ${what}.` });
  const tend = (): void => standings.stateAgain(ports.now() - againAfterMilliseconds);
  tend();
  const tending = setInterval(tend, day).unref();
  undo.later(() => clearInterval(tending));
  return standings;
}

function subjectOf(about: StandingSubject | null) {
  if (about === null) return {};
  const { kind, id, name } = about;
  return kind === 'connection' ? { connection: { id, name } } : { principal: id, tokenName: name };
}
