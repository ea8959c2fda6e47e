/**
 * `sallyport` alone, once something is set up: what runs, what waits, and the next step, on one
 * screen. Starts nothing and changes nothing.
 */

import { shownText } from '../shared/shown-text.ts';
import { bridgeOf } from './commands/connect.ts';
import { clientsShown, stateShown, waitingShown } from './commands/status.ts';
import { clientsAndEntries } from './connect/clients-here.ts';
import { withDaemon } from './daemon.ts';
import { everyConnection } from './every-connection.ts';
import { olderThanCommand, readyStatus } from './starting.ts';
import { pairs } from './table.ts';
import { print, printNotes, say, type Terminal } from './terminal.ts';

const mostNamed = 5;

export async function showOverview(terminal: Terminal): Promise<void> {
  const status = await readyStatus(terminal);
  if (status === null) {
    say(terminal, "Sallyport isn't running. `sallyport start` starts it, and so does a client's next call.");
    return sayMore(terminal);
  }
  const { connections, clients } = await withDaemon(terminal, async client => ({
    connections: await everyConnection(client),
    clients: (await client.ask('clients.list', {}).catch(() => ({ clients: [] }))).clients,
  }));
  const here = await clientsAndEntries(terminal, bridgeOf(terminal));
  const connected = here.filter(client => client.connected).map(({ title }) => title);
  print(
    terminal,
    stateShown(terminal, status),
    ...pairs(terminal, [
      ['connections', listed(connections.map(({ name }) => name))],
      ['clients', listed(connected)],
      ['clients now', clientsShown(clients)],
      ['waiting', waitingShown(status.waiting)],
    ]),
  );
  printNotes(terminal, olderThanCommand(status));
  const { waiting, passphrase } = status;
  print(terminal, '');
  say(terminal, nextStep({ waiting, connections: connections.length, connected: connected.length, passphrase }));
  sayMore(terminal);
}

/** What a person most probably came for. */
function nextStep(now: {
  readonly waiting: number;
  readonly connections: number;
  /** Clients on this machine that have Sallyport. */
  readonly connected: number;
  readonly passphrase: { readonly state: string };
}): string {
  if (now.waiting > 0) return 'Next: `sallyport allow` answers what waits.';
  if (now.connections === 0) return 'Next: `sallyport setup` finds databases and AI clients here.';
  if (now.connected === 0) return 'Next: `sallyport connect` lists the AI clients here, and adds Sallyport to one.';
  if (now.passphrase.state === 'none')
    return 'Next: `sallyport passphrase set` chooses the passphrase that allows clients more than to read.';
  return 'Next: `sallyport history --follow` shows what clients run.';
}

function sayMore(terminal: Terminal): void {
  say(terminal, '`sallyport status` says more, `sallyport doctor` looks for problems, `sallyport --help` lists all.');
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - mostNamed;
  return `${names
    .slice(0, mostNamed)
    .map(name => shownText(name))
    .join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}
