/**
 * Dials a session for a program that speaks PostgreSQL's protocol itself, and gives its line away.
 * Only a session of our own will do: behind a pooler, what the program sets would stay for others.
 */

import type { PostgresClassification } from '../../../guard/postgres/types.ts';
import type { Answer, CallContext, DatabaseFailure, WireSession } from '../../engine.ts';
import { addressOf } from '../dial.ts';
import { connectionLost } from '../failure.ts';
import { byCatalog } from '../follow.ts';
import { isSession, type Pool } from '../pool.ts';
import { cancel } from '../run/cancel.ts';
import { askedWall, askWall, refusalOfReadOnly } from '../run/read-wall.ts';
import { readerRoleCall } from '../run/reader-role.ts';
import { limitTemporaryFiles, restore } from '../run/session-setup.ts';
import type { Session } from '../session.ts';
import { rememberedVerdicts } from './remembered-verdicts.ts';

/**
 * Sent in the start-up packet, so that neither RESET nor DISCARD undoes them: a wall for what runs
 * in no transaction of ours, and the one reading of texts that the guard has.
 */
const settings = { default_transaction_read_only: 'on', backslash_quote: 'safe_encoding' };

/** After the snapshot that it takes, the server refuses SET TRANSACTION READ WRITE. */
const keepReading = `pg_catalog.set_config('transaction_read_only', 'on', true)`;

export async function openWire(pool: Pool, context: CallContext): Promise<Answer<WireSession>> {
  const session = await pool.acquire({ ...context, settings }, 'new');
  if (!isSession(session)) return session;
  const unfit = session.own === null ? behindPooler : await lacksWall(pool, session);
  if (unfit !== null) {
    session.destroy();
    return unfit;
  }
  const line = session.handOver();
  if (line === null) return connectionLost(addressOf(session.endpoint), 'the server spoke out of turn');
  const calls = session.isSuperuser === false ? [keepReading] : [keepReading, limitTemporaryFiles, readerRoleCall];
  const verdicts = rememberedVerdicts(pool);
  return {
    kind: 'done',
    value: {
      line,
      parameters: session.parameters,
      wall: `SELECT ${calls.join(', ')}`,
      async follow(classifier, asking, byText, names, ask) {
        const text = byText as PostgresClassification;
        if (text.question === null || text.class === 'forbidden') return { kind: 'classified', classification: text };
        const read: typeof ask = async (sql, parameters) => {
          const answer = await ask(sql, parameters);
          return answer.kind === 'done' ? { kind: 'done', value: answer.value.map(row => row.map(cellValue)) } : answer;
        };
        return verdicts.of(names, text, () => byCatalog(classifier, read, asking, text));
      },
      cancel: () => cancel(session),
    },
  };
}

/** Of our questions, which give one boolean or JSON. */
const cellValue = (cell: unknown): unknown => (cell === 't' ? true : cell === 'f' ? false : cell);

const behindPooler: DatabaseFailure = {
  kind: 'unsupported',
  message: 'A pooler is in front of the server, where a program would share its session with others.',
};

/** A server that takes writes in a transaction that only reads serves no program. */
async function lacksWall({ readWall }: Pool, session: Session): Promise<DatabaseFailure | null> {
  const server = { address: addressOf(session.endpoint), version: session.serverVersion };
  if (readWall.isHeld(server) === null) {
    const end = await askWall(session);
    const isHeld = end.kind === 'ready' ? askedWall(end) : null;
    if (end.kind === 'ready' && isHeld !== null) readWall.learn(server, isHeld, refusalOfReadOnly(end));
    if (!(await restore(session, false))) return connectionLost(addressOf(session.endpoint), 'it could not be set up');
  }
  return readWall.isHeld(server) === true ? null : { kind: 'unproved_wall', said: readWall.said };
}
