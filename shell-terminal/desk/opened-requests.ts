/**
 * Access requests that a person answers at a terminal (spec §12): opens and shows them before the
 * answer, and reports those that ran.
 */

import type { DeskDecision } from '../../shared/control-commands.ts';
import { failed } from '../cli-error.ts';
import type { ControlClient } from '../control-client.ts';
import { print, remark, type Terminal } from '../terminal.ts';
import { type Ask, ofClients } from './asks.ts';
import { cardLines } from './card.ts';

/**
 * Has the daemon count what they change. Shows each in full if no passphrase will be asked for;
 * otherwise the prompt for the passphrase shows them.
 */
export async function openRequests(
  terminal: Terminal,
  client: Pick<ControlClient, 'ask'>,
  chosen: readonly Pick<Ask, 'id'>[],
  json = false,
): Promise<readonly Ask[]> {
  const opened = await client.ask('desk.open', { ids: chosen.map(({ id }) => id) });
  const { passphrase } = await client.ask('status', {});
  const requests = ofClients(opened.asks);
  const unasked = requests.filter(({ kind }) => passphrase.state === 'off' || kind === 'host_key');
  if (!json) print(terminal, ...unasked.flatMap(one => cardLines(terminal, one)));
  return requests;
}

/** What came of an answer. */
export interface Given {
  readonly said: readonly string[];
  readonly warnings: readonly string[];
  /** A sentence; null if all of it was done. */
  readonly problem: string | null;
}

/** In the daemon's words. */
export function givenOf({ said, ran, problem }: Pick<DeskDecision, 'said' | 'ran' | 'problem'>): Given {
  return {
    said: said.map(({ text }) => text),
    warnings: ran.flatMap(({ warnings }) => warnings),
    problem: problem?.text ?? null,
  };
}

/** @throws CliError if something of it wasn't done. */
export function printGiven(terminal: Terminal, { said, warnings, problem }: Given): void {
  print(terminal, ...said);
  for (const warning of warnings) remark(terminal, warning);
  if (problem !== null) throw failed(problem, 'not_run');
}
