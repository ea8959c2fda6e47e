/** `sallyport status`: shows whether Sallyport runs, and what reaches a database past it. */

import type { ClientView, PassphraseView, StatusResult } from '../../shared/control-commands.ts';
import { noteText } from '../../shared/note.ts';
import { CliError, isNoDaemon } from '../cli-error.ts';
import { command } from '../command.ts';
import { withDaemon } from '../daemon.ts';
import { sayNoMoreOfRequests } from '../notices.ts';
import { sayNoMoreOfPassphrase } from '../owner-passphrase.ts';
import { adviceOn, serverForScripts } from '../past/told.ts';
import { olderThanCommand } from '../starting.ts';
import { pairs } from '../table.ts';
import { locationsOf, print, printJson, printNotes, styled, type Terminal } from '../terminal.ts';
import { shownTime } from '../words.ts';

export const statusCommand = command(
  { words: 'status', about: 'Show whether Sallyport is running, and for whom' },
  async ({ terminal, json }) => {
    const asked = withDaemon(terminal, async client => {
      const status = await client.ask('status', {});
      // A daemon from before an update may not know this command; its status is shown all the same.
      const { clients } = await client.ask('clients.list', {}).catch(() => ({ clients: [] }));
      return { status, clients };
    });
    // Until this is awaited below, nothing else would catch its failure.
    asked.catch(() => undefined);
    const { servers, passwords } = await waysPast(terminal);
    const past = servers.map(serverForScripts);
    const advice = [
      ...servers.map(server => adviceOn(server, terminal.userHome)),
      ...passwords.map(({ says }) => says),
    ];
    const { status, clients } = await asked.catch((error: unknown) => {
      // What reaches a database past Sallyport is told whether or not it runs.
      if (isNoDaemon(error)) {
        if (json) printJson(terminal, { running: false, home: locationsOf(terminal).home, past, passwords });
        else printNotes(terminal, advice);
      }
      throw error;
    });
    if (json) return printJson(terminal, { running: true, ...status, clients, past, passwords });
    print(terminal, ...shown(terminal, status, clients));
    printNotes(terminal, [...olderThanCommand(status), ...status.notes.map(noteText), ...advice]);
    sayNoMoreOfPassphrase();
    sayNoMoreOfRequests();
  },
);

async function waysPast(terminal: Terminal) {
  // Loaded on demand: the parsers would add a third to every command's start.
  const [{ lookingFrom, otherServers }, { readablePasswords }] = await Promise.all([
    import('../past/entries.ts'),
    import('../doctor/past.ts'),
  ]);
  try {
    const looking = lookingFrom(terminal);
    return { servers: otherServers(looking), passwords: await readablePasswords(looking) };
  } catch (error) {
    // A user without a home folder has no client's file.
    if (!(error instanceof CliError)) throw error;
    return { servers: [], passwords: [] };
  }
}

/** `Sallyport 0.1.0 is running` */
export function stateShown(terminal: Terminal, { state, version }: StatusResult): string {
  const states: Record<StatusResult['state'], string> = {
    starting: styled(terminal, 'yellow', 'is starting'),
    ready: styled(terminal, 'green', 'is running'),
    paused: styled(terminal, 'yellow', 'is running, but paused'),
    off: styled(terminal, 'yellow', 'is running, its server switched off'),
    stopping: styled(terminal, 'yellow', 'is stopping'),
  };
  return `Sallyport ${version} ${states[state]}`;
}

function shown(terminal: Terminal, status: StatusResult, clients: readonly ClientView[]): string[] {
  const entries = pairs(terminal, [
    ['address', status.port === null ? null : `http://127.0.0.1:${status.port}/mcp`],
    ['home', status.home],
    ['process', `${status.pid}, since ${shownTime(status.startedAt)}`],
    ['connections', String(status.connections)],
    ['tokens', String(status.tokens)],
    ['clients now', clientsShown(clients)],
    ['secrets', status.secrets === 'keychain' ? 'in the keychain' : 'in a file of the home'],
    ['passphrase', passphraseShown(status.passphrase)],
    ['waiting', waitingShown(status.waiting)],
  ]);
  return [stateShown(terminal, status), ...entries];
}

export function waitingShown(count: number): string {
  if (count === 0) return 'nothing';
  return `${count} ${count === 1 ? 'question' : 'questions'} (\`sallyport allow\`)`;
}

/** When and by which program the passphrase was chosen, also after the person confirmed that. */
function passphraseShown({ state, chosen }: PassphraseView): string {
  const words = { none: 'not chosen yet', set: 'set', off: 'off: nothing is confirmed' };
  return chosen === null ? words[state] : `${words[state]}, ${shownTime(chosen.at)} by ${chosen.by}`;
}

const mostShown = 5;

/** The clients by the names that they give themselves, in the given order. */
export function clientsShown(clients: readonly ClientView[]): string {
  if (clients.length === 0) return 'none';
  const shown = clients.slice(0, mostShown).map(({ client, token, isBox }) => {
    const name = client === null ? 'one that gives no name' : client;
    return `${name} (${token === null ? 'bridge' : `${isBox ? 'box' : 'token'} ${token.name}`})`;
  });
  const rest = clients.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}
