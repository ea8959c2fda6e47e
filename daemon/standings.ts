/**
 * Wires the standings of connections and tokens to the activity log (spec §14): its rows at the
 * start, what is recorded, and the notes.
 */

import { openStandings, type StandingSubject, type Standings, type StatedRow } from './access/standing/standings.ts';
import type { ActivityLog } from './activity.ts';
import type { Undo } from './undo.ts';

interface StandingsPorts extends Omit<Parameters<typeof openStandings>[0], 'rows' | 'state'> {
  readonly activity: Pick<ActivityLog, 'query' | 'record'>;
}

const day = 86_400_000;
/** Half as long as the log keeps rows. */
const againAfterMilliseconds = 45 * day;
/** Rows of one answer of the log. */
const pageRows = 1_000;

const stating: ReadonlySet<string> = new Set([
  'connection.add',
  'connection.change',
  'connection.restore',
  'connection.delete',
  'connection.role',
  'connection.trust',
  'demo.create',
  'token.mint',
  'token.edit',
  'box.add',
  'access.state',
]);

export async function standingsIn({ activity, ...ports }: StandingsPorts, undo: Undo): Promise<Standings> {
  const admin = { category: 'admin', action: 'access.state' } as const;
  const standings = openStandings({
    ...ports,
    rows: await statedRows(activity),
    state: (about, reason) => activity.record({ ...admin, ...subjectOf(about), outcome: 'success', reason }),
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

async function statedRows(activity: Pick<ActivityLog, 'query'>): Promise<readonly StatedRow[]> {
  const found: StatedRow[] = [];
  let before: number | null = null;
  do {
    const page: Awaited<ReturnType<ActivityLog['query']>> = await activity.query({
      category: 'admin',
      limit: pageRows,
      before,
    });
    for (const { number, time, action, outcome, connection, principal, reason } of page.rows)
      if (stating.has(action) && outcome === 'success')
        found.push({ number, time: Date.parse(time), id: connection?.id ?? principal, reason });
    before = page.older;
  } while (before !== null);
  return found;
}
