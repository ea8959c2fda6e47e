/**
 * Runs a statement that was refused to `sallyport query`, on the person's behalf, if they are at a
 * terminal (spec §16). The daemon has made an access request of it. The statement and what it
 * changes are shown in full before the passphrase is asked for.
 */

import type { ControlClient } from './control-client.ts';
import { withDaemon } from './daemon.ts';
import { type Ask, waitingAsks } from './desk/asks.ts';
import { givenOf, openRequests, printGiven } from './desk/opened-requests.ts';
import { CallRefused } from './mcp-client.ts';
import { sayNoMoreOfRequests } from './notices.ts';
import { printJson, type Terminal } from './terminal.ts';

/** The name that this command uses as a client. */
const ownName = 'terminal';
export const mayBeAllowed: ReadonlySet<unknown> = new Set(['read_only', 'needs_yes', 'asked_already']);

interface Refused {
  readonly connection: string;
  readonly sql: string;
  readonly database: string | null;
  readonly schema: string | null;
  readonly json: boolean;
}

/** @throws the call's own error if nobody can be asked or nothing waits. */
export async function runRefused(
  terminal: Terminal,
  thrown: unknown,
  { connection, sql, database, schema, json }: Refused,
): Promise<void> {
  if (!(thrown instanceof CallRefused) || !mayBeAllowed.has(thrown.told.code) || !terminal.stderr.isTTY) throw thrown;
  if (!(await runOwnAsk(terminal, { text: sql, connection, database, schema, json }))) throw thrown;
}

interface OwnAsk extends Omit<Refused, 'sql'> {
  /** As the card shows it. */
  readonly text: string;
}

/** Undefined if it doesn't wait. */
export async function ownAsk(
  client: Pick<ControlClient, 'ask'>,
  { text, connection, database, schema }: Omit<OwnAsk, 'json'>,
): Promise<Ask | undefined> {
  // Any client may use the same name; a statement that it asked for elsewhere, or with values, is
  // another one.
  return (await waitingAsks(client)).find(
    ({ waits, client: name, token, statement, connection: on }) =>
      !waits &&
      name === ownName &&
      token === null &&
      statement?.text === text &&
      statement.database === database &&
      statement.schema === schema &&
      statement.parameters.length === 0 &&
      [on.id, on.name].includes(connection),
  );
}

/** @returns false if it doesn't wait. */
export async function runOwnAsk(
  terminal: Terminal,
  { text, connection, database, schema, json }: OwnAsk,
): Promise<boolean> {
  return withDaemon(terminal, async client => {
    const own = await ownAsk(client, { text, connection, database, schema });
    if (own === undefined) return false;
    sayNoMoreOfRequests();
    await openRequests(terminal, client, [own], json);
    const answered = await client.ask('desk.decide', { ids: [own.id], answer: 'run' });
    const given = givenOf(answered);
    if (json) printJson(terminal, answered.ran);
    printGiven(terminal, json ? { ...given, said: [], warnings: [] } : given);
    return true;
  });
}
