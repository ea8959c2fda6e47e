/**
 * `sallyport setup`: leads from nothing to a first question from an AI client.
 * `sallyport connections import` is its first half.
 */

import { shownText } from '../../shared/shown-text.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { clientsAndEntries } from '../connect/clients-here.ts';
import { askDaemon } from '../daemon.ts';
import { offerPassphrase } from '../passphrase-offer.ts';
import { serverForScripts } from '../past/told.ts';
import { connectClients } from '../setup/clients.ts';
import { importConnections } from '../setup/import.ts';
import { offerRole } from '../setup/offer-role.ts';
import { foundHere, saveFound } from '../setup/unasked.ts';
import { runningDaemon } from '../starting.ts';
import { print, printJson, say, type Terminal } from '../terminal.ts';
import { bridgeOf, tellNpx } from './connect.ts';

const options = {
  env: { type: 'string', value: 'FILE', about: 'a .env, Compose, Spring or JSON file that names databases' },
} as const;

const where = [
  'Looks at the variables of this shell, SQLite files in this folder, ~/.pgpass,',
  '~/.pg_service.conf, ~/.my.cnf, DBeaver, TablePlus, and servers on this machine; if',
  'you agree, also at .env, Compose, Spring, Rails, ASP.NET and the like. Shows what it',
  'finds, and saves only what you choose.',
];

export const importCommand = command(
  {
    words: 'connections import',
    about: 'Find databases here, and save those you choose',
    details: [...where, '--save takes a place that `sallyport setup --json` prints, and asks nothing.'],
    json: false,
    options: {
      ...options,
      save: { type: 'string', multiple: true, value: 'PLACE', about: 'save what was found there' },
    },
  },
  async ({ terminal, options: { env, save } }) => {
    if (save !== undefined) {
      await runningDaemon(terminal);
      if (await saveFound(terminal, save, env === undefined ? [] : [env])) return;
      throw failed('Not all of it is saved.', 'partly_done');
    }
    onlyOnTerminal(terminal, 'sallyport connections import', '`sallyport connections add` saves one without questions');
    await runningDaemon(terminal);
    const taken = await takenOver(terminal, bridgeOf(terminal));
    const saved = [...taken, ...(await importConnections(terminal, env ?? null))];
    for (const name of saved) await offerRole(terminal, name);
  },
);

export const setupCommand = command(
  {
    words: 'setup',
    about: 'Find databases and AI clients, and connect them',
    details: [...where, '--json prints the databases and the clients that are here, and changes nothing.'],
    options,
  },
  async ({ terminal, options: { env }, json }) => {
    if (json) {
      await runningDaemon(terminal);
      const found = await foundHere(terminal, env === undefined ? [] : [env]);
      const clients = await clientsAndEntries(terminal, bridgeOf(terminal));
      const { otherServers } = await import('../past/entries.ts');
      return printJson(terminal, { ...found, clients, past: otherServers(terminal).map(serverForScripts) });
    }
    onlyOnTerminal(
      terminal,
      'sallyport setup',
      '`sallyport connections add` and `sallyport connect` do the same without questions',
    );
    await setUp(terminal, env ?? null);
  },
);

async function takenOver(terminal: Terminal, bridge: string): Promise<readonly string[]> {
  // Loaded on demand: the parsers would add a third to every command's start.
  const [{ otherServers }, { offerTakeovers }] = await Promise.all([
    import('../past/entries.ts'),
    import('../past/offer.ts'),
  ]);
  return offerTakeovers(terminal, bridge, otherServers(terminal));
}

function onlyOnTerminal({ stdin }: Terminal, words: string, instead: string): void {
  if (!stdin.isTTY) throw misuse(`${words} asks questions, so it needs a terminal; ${instead}.`);
}

const greeting =
  'This finds databases and AI clients here, and connects those you choose. It reads passwords that are stored beside databases, shows none, and saves one only with a database you choose.';

export async function setUp(terminal: Terminal, dotenv: string | null): Promise<void> {
  say(terminal, greeting);
  print(terminal, '');
  await runningDaemon(terminal);
  const bridge = bridgeOf(terminal);
  const saved = [...(await takenOver(terminal, bridge)), ...(await importConnections(terminal, dotenv))];
  print(terminal, '');
  tellNpx(terminal, bridge);
  const [client] = await connectClients(terminal, bridge);
  const { connections } = await askDaemon(terminal, 'connections.list', {});
  // Last, and only once there is something to protect; a role needs it.
  if (connections.length > 0) {
    print(terminal, '');
    await offerPassphrase(terminal);
    for (const name of saved) await offerRole(terminal, name);
  }
  print(terminal, '');
  const [connection] = connections;
  if (connection === undefined)
    return say(terminal, 'Next: `sallyport connections add URL --name NAME` saves a database.');
  const name = shownText(connection.name);
  if (client === undefined)
    return say(terminal, `Next: \`sallyport connect CLIENT --write\` gives an AI client ${name} to read.`);
  say(terminal, `Ready. Ask ${client}: "Which tables are in ${name}, and what do they hold?"`);
  say(
    terminal,
    '`sallyport history --follow` shows what it runs. It may read, and write nothing, until you say otherwise.',
  );
}
