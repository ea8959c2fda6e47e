/** `sallyport prove`: what holds an agent back from one database, tried there (spec §16). */

import type { ConnectionProof } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { shownText } from '../../shared/shown-text.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { withDaemon } from '../daemon.ts';
import type { Check } from '../doctor/check.ts';
import { checkLines } from '../doctor/check-lines.ts';
import { checkAround } from '../proof/around.ts';
import { rightLines, wallLines, wallsOf } from '../proof/walls.ts';
import { print, printJson, styled, type Terminal } from '../terminal.ts';
import { showWaiting } from '../waiting-line.ts';
import { externalClientsWords, wordFor } from '../words.ts';

export const proveCommand = command(
  {
    words: 'prove',
    arguments: ['NAME'],
    about: 'Show what holds agents back from a database, by trying it',
    details: [
      'Puts the published attacks to the guard with names of your tables, asks the server',
      'whether it refuses writes in a session that only reads, and asks its catalog what the',
      'account may do. Runs none of the attacks and changes nothing. Exits with 1 if one wall',
      'or none holds a kind of attack, or if something around it is a problem.',
    ],
  },
  async ({ terminal, arguments: [connection = ''], json }) => {
    const { proof, around } = await showWaiting(
      terminal,
      `Trying ${connection}`,
      withDaemon(terminal, async client => {
        const found = await client.ask('connections.prove', { connection });
        return { proof: found, around: await checkAround(terminal, client, found) };
      }),
    );
    const attacks = proof.attacks.map(attack => ({ ...attack, walls: wallsOf(attack, proof.level) }));
    const least = Math.min(3, ...attacks.map(({ walls }) => walls ?? 3));
    const problems = around.filter(check => !check.ok).length;
    if (json) printJson(terminal, { ...proof, attacks, around, ok: least > 1 && problems === 0 });
    else print(terminal, ...lines(terminal, proof, around));
    const weak = attacks.filter(({ walls }) => walls !== null && walls < 2).length;
    if (weak > 0)
      throw failed(
        `${weak === 1 ? 'One kind' : `${weak} kinds`} of attack ${weak === 1 ? 'is' : 'are'} held by ${least === 0 ? 'no wall' : 'one wall alone'}.`,
      );
    if (problems > 0) throw failed(problems === 1 ? 'One problem was found.' : `${problems} problems were found.`);
  },
);

function lines(terminal: Terminal, proof: ConnectionProof, around: readonly Check[]): string[] {
  const { name, engine, serverVersion, user, level, rights } = proof;
  const as = user === null ? '' : `, signed in as ${user}`;
  const head = `${name}: ${serverVersion || connectionsOf[engine].name}${as}; clients: ${wordFor(externalClientsWords, level)}`;
  const passed = proof.attacks.flatMap(attack => attack.passed);
  return [
    styled(terminal, 'bold', shownText(head)),
    '',
    ...wallLines(terminal, proof),
    styled(terminal, 'dim', 'SERVER and ACCOUNT as measured for an account like this one (docs/walls.md).'),
    ...passed.map(each => `  passed the guard as ${each.class}: ${shownText(each.sql)}`),
    ...(rights === null || rights.length === 0
      ? []
      : ['', styled(terminal, 'bold', 'If guard and session both failed:'), ...rightLines(terminal, name, rights)]),
    '',
    styled(terminal, 'bold', 'Around it:'),
    ...checkLines(terminal, around),
  ];
}
