/** How the state of the server is told to people: one word, and sentences about what they ought to know (spec §2). */

import type { ControlNotification } from '../shared/control.ts';
import type { DaemonStatus } from '../shared/control-commands.ts';
import type { Served, Serving } from './serving.ts';

type ServerState = Pick<DaemonStatus, 'state' | 'port' | 'notes'>;

/** @param serving null while the daemon starts. */
export function serverState(
  serving: Pick<Serving, 'served' | 'problem' | 'isPaused'> | null,
  isStopping: boolean,
): ServerState {
  const served = serving?.served() ?? null;
  const problem = serving?.problem() ?? null;
  const paused = serving?.isPaused() ?? false;
  const notes = [
    ...(paused ? ['Sallyport is paused, so every client is refused; `sallyport resume` ends that.'] : []),
    ...(problem !== null && !isStopping ? [unservedSentence(problem)] : []),
    ...(serving !== null && served === null && problem === null && !isStopping
      ? ['The MCP server is switched off; `sallyport settings set enabled true` switches it on.']
      : []),
    ...(served?.taken ? [takenSentence(served, served.taken)] : []),
  ];
  return { state: stateOf(serving !== null, served, paused, isStopping), port: served?.port ?? null, notes };
}

export function serverChanged(state: ServerState): ControlNotification {
  return { jsonrpc: '2.0', method: 'server.changed', params: state };
}

function stateOf(isUp: boolean, served: Served | null, paused: boolean, isStopping: boolean): DaemonStatus['state'] {
  if (isStopping) return 'stopping';
  if (!isUp) return 'starting';
  if (served === null) return 'off';
  return paused ? 'paused' : 'ready';
}

/** Without the fallback no other port is tried: clients with the configured one in their files would send their token to its holder. */
function unservedSentence(problem: string): string {
  const said = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
  return `${said}, so no client is served. Free it, and Sallyport takes it by itself; or \`sallyport settings set port\` chooses another, and \`settings set port.fallback true\` any that is free.`;
}

function takenSentence({ port }: Served, taken: NonNullable<Served['taken']>): string {
  return `Port ${taken.port} belongs to ${taken.holder ?? 'another program'}, so HTTP clients must use ${port} for now.`;
}
