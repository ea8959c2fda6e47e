/** Serves AI clients over HTTP on loopback, and announces that in the handshake (spec §2, §4). */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { protocolVersions } from '../shared/codes.ts';
import { portHolder } from '../shared/port-holder.ts';
import { version } from '../shared/version.ts';
import type { Settings } from './access/settings/settings.ts';
import type { PublishedToken } from './access/tokens/bridge-token.ts';
import { httpLimits } from './clients/http/http-limits.ts';
import { type RunningHttpServer, startHttpServer } from './clients/http/listener.ts';
import { openResourceNotifier } from './clients/mcp/resource-notifier.ts';
import { allTools } from './clients/mcp/tools/index.ts';
import type { Run } from './lifecycle.ts';
import { lineageOfConnection } from './processes/connection-lineage.ts';
import type { Services } from './services.ts';
import { type Serving, startServing, type WantedServer } from './serving.ts';
import type { State } from './state.ts';
import { holdRows } from './statement/held-rows.ts';
import { openExports } from './storage/exports/exports.ts';
import { removeHandshake, writeHandshake } from './storage/handshake-file.ts';
import { lastPortIn } from './storage/store/settings.ts';
import type { Undo } from './undo.ts';

const drainMilliseconds = 3_000;

export async function serveClients(state: State, run: Run, services: Services, undo: Undo): Promise<Serving> {
  const { connections, tokens, settings, activity, accessInUse, unfinished, issued } = state;
  const { home, locations, log, now, elapsed, report, stalls, store, pauses } = state.storage;
  const { admission, confirmation, accessRequests, pairings, descriptors, queryPorts } = services;
  const { instance } = run;

  const held = holdRows(elapsed);
  connections.onChanged(held.forgetConnection);
  undo.later(tokens.onEnded(held.forgetToken));
  const notifier = openResourceNotifier({ connections, now, firstUses: confirmation.firstUses, accessRequests });
  undo.later(tokens.onAccessEdited(notifier.tokenEdited));
  const exports = openExports(home, unfinished);
  undo.later(exports.settled);
  const openExport = exports.open;
  const { unknownHostKey } = state.tunnels;
  const toolPorts = { ...queryPorts, connections, now, confirmation, accessRequests, held, openExport, unknownHostKey };
  const tools = allTools(toolPorts);

  /**
   * Half of all file descriptors; bridges and shells get a quarter, databases and files the rest.
   */
  const connectionsAtMost = Math.min(httpLimits.connections, Math.floor(descriptors.limit / 2));
  const lastPorts = lastPortIn(store);
  let lastPort = await lastPorts.load();
  const listen = async (port: number, fallback: boolean): Promise<RunningHttpServer> => {
    const http = await startHttpServer({
      port,
      fallback,
      lastPort,
      tokens,
      admission,
      tools,
      toolPorts,
      accessInUse,
      notifier,
      pairings,
      activity,
      version,
      log,
      now,
      newId: randomUUID,
      descriptors: descriptors.state,
      lineageOfConnection,
      limits: { connections: connectionsAtMost },
      work: stalls.work,
    });
    if (http.portTaken && http.port !== lastPort) {
      lastPort = http.port;
      await lastPorts.save(http.port).catch(report);
    }
    return http;
  };

  const publish = (port: number, { plaintext: token, expiresAt }: PublishedToken): void => {
    issued.issued(token);
    const { pid } = process;
    writeHandshake(locations.handshake, { version: 1, port, token, pid, instance, protocolVersions, expiresAt });
  };
  const serving = await startServing(
    {
      listen,
      publish,
      unpublish: () => removeHandshake(locations.handshake, instance),
      isPublished: () => existsSync(locations.handshake),
      onChanged: run.tellOfServer,
      tokens,
      now,
      portHolder,
      pause: { isPaused: state.isPaused, save: pauses.save },
      report,
    },
    wantedServer(settings.current()),
  );
  undo.later(() => {
    run.stop();
    return serving.stop(drainMilliseconds);
  });
  return serving;
}

/** Refuses settings that the server can't follow. */
export function followServerSettings({ settings }: State, { ready }: Run): void {
  settings.onChange(async (key, next) => {
    if (key !== 'enabled' && key !== 'port' && key !== 'port.fallback') return null;
    const up = await ready;
    // Changing the port keeps a server running that was switched on for this run.
    const enabled = key === 'enabled' ? next.enabled : up.isWanted();
    return up.change({ ...wantedServer(next), enabled });
  });
}

function wantedServer(settings: Settings): WantedServer {
  return { enabled: settings.enabled, port: settings.port, fallback: settings['port.fallback'] };
}
