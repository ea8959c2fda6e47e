/**
 * Listens for one run (spec §2): its services, then the shells, then the clients. `undo` closes
 * each in reverse.
 */

import { version } from '../shared/version.ts';
import { bridgeTokenLimits } from './access/tokens/bridge-token.ts';
import { beginRun } from './lifecycle.ts';
import type { StopCause } from './processes/stop-signals.ts';
import { followServerSettings, serveClients } from './serve-clients.ts';
import { serveShells } from './serve-shells.ts';
import { openServices } from './services.ts';
import type { State } from './state.ts';
import { watchHome } from './storage/home.ts';
import type { Undo } from './undo.ts';

export async function startListening(state: State, stop: (cause: StopCause) => void, undo: Undo): Promise<void> {
  const { activity, isPaused } = state;
  const { home, log, stalls } = state.storage;
  // Checked before anybody can know that we run and remove the home.
  const isHomeThere = watchHome(home);
  const run = beginRun(isPaused);
  followServerSettings(state, run);
  const services = openServices(state, run, undo);
  await serveShells(state, run, services, stop, undo);
  const serving = await serveClients(state, run, services, undo);
  const tending = setInterval(() => {
    if (isHomeThere()) return serving.tend();
    // Nobody could find or stop this daemon any more, and what it writes is lost.
    log.warn({}, 'the home is gone or was moved, so the daemon stops');
    stop({ reason: 'the home is gone or was moved' });
  }, bridgeTokenLimits.checkSeconds * 1000);
  undo.later(() => clearInterval(tending));

  const taken = serving.served()?.taken ?? null;
  const reason =
    taken === null ? serving.problem() : `port ${taken.port} belongs to ${taken.holder ?? 'another program'}`;
  if (reason !== null) activity.record({ category: 'admin', action: 'port.taken', outcome: 'error', reason });
  run.serve(serving);
  await services.boxes.settle();
  log.info({ instance: run.instance, port: serving.served()?.port ?? null, version }, 'ready');
  services.classifier.loadSoon();
  stalls.watch();
}
