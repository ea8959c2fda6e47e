/**
 * Access requests that a person answers at a terminal (spec §12): opens and shows them before the
 * answer, and reports those that ran.
 */

import type { AccessRequestAnswer, AccessRequestView } from '../shared/control-commands.ts';
import { failed } from './cli-error.ts';
import type { ControlClient } from './control-client.ts';
import { requestLines } from './request-lines.ts';
import { print, remark, type Terminal } from './terminal.ts';

/**
 * Has the daemon count what they change. Shows each in full if no passphrase will be asked for;
 * otherwise the prompt for the passphrase shows them.
 */
export async function openRequests(
  terminal: Terminal,
  client: Pick<ControlClient, 'ask'>,
  chosen: readonly AccessRequestView[],
  json = false,
): Promise<readonly AccessRequestView[]> {
  const { requests } = await client.ask('requests.open', { ids: chosen.map(({ id }) => id) });
  const { passphrase } = await client.ask('status', {});
  const unasked = requests.filter(({ lacks }) => passphrase.state === 'off' || lacks === 'host_key');
  if (!json) print(terminal, ...unasked.flatMap(one => requestLines(terminal, one)));
  return requests;
}

/** @throws CliError if one of them failed. */
export function printRan(terminal: Terminal, chosen: readonly AccessRequestView[], { ran }: AccessRequestAnswer): void {
  const last = ran.at(-1);
  for (const { rowsAffected, warnings, failed: problem } of ran) {
    if (problem !== null) continue;
    print(
      terminal,
      rowsAffected === null ? 'Ran.' : `Ran; ${rowsAffected} ${rowsAffected === 1 ? 'row' : 'rows'} changed.`,
    );
    for (const warning of warnings) remark(terminal, warning);
  }
  if (last?.failed == null) return;
  const left = chosen.length - ran.length;
  const rest = left === 0 ? '' : ` ${left} after it did not run, and still ${left === 1 ? 'waits' : 'wait'}.`;
  throw failed(`${chosen.length === 1 ? 'It' : `Number ${ran.length}`} did not run. ${last.failed}${rest}`);
}
