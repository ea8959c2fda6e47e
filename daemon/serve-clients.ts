/** Opens the door of AI clients, HTTP on loopback, and makes it known in the handshake (spec §2, §4). */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { protocolVersions } from '../shared/codes.ts';
import { portHolder } from '../shared/port-holder.ts';
import { version } from '../shared/version.ts';
import type { Settings } from './access/settings/settings.ts';
import { httpLimits } from './clients/http/limits.ts';
import { startHttpServer } from './clients/http/listener.ts';
import { changesOf } from './clients/mcp/changes.ts';
import { allTools } from './clients/mcp/tools/index.ts';
import type { Run } from './lifecycle.ts';
import type { Services } from './services.ts';
import { type Serving, startServing, type WantedServer } from './serving.ts';
import type { State } from './state.ts';
import { holdRows } from './statement/held-rows.ts';
import { openExports } from './storage/exports/exports.ts';
import { removeHandshake, writeHandshake } from './storage/handshake-file.ts';
import { lastPortIn, type PauseStore } from './storage/store/settings.ts';
import type { Undo } from './undo.ts';

const drainMilliseconds = 3_000;

export async function openClientDoor(
  state: State,
  run: Run,
  { admission, confirmation, accessRequests, pairings, descriptors, queryPorts }: Services,
  pause: { readonly isPaused: boolean } & Pick<PauseStore, 'save'>,
  undo: Undo,
): Promise<Serving> {
  const { locations, log, now, elapsed, report, stalls, activity, connections } = state;
  const { tokens, settings, issued, accessInUse, onSchemaChanged } = state;
  const { instance } = run;
  const held = holdRows(elapsed);
  connections.onChanged(held.forgetConnection);
  undo.later(tokens.onEnded(held.forgetToken));
  const changes = changesOf({ connections, now, firstUses: confirmation.firstUses });
  undo.later(changes.close);
  onSchemaChanged(changes.schemaChanged);
  undo.later(tokens.onAccessEdited(changes.tokenEdited));
  const exports = openExports(state.home, state.unfinished);
  undo.later(exports.settled);
  const toolPorts = {
    ...queryPorts,
    ...{ connections, now, confirmation, accessRequests, held },
    openExport: exports.open,
  };
  const tools = allTools(toolPorts);
  /** Of all file descriptors half; bridges and shells have a quarter, and databases and files share the rest. */
  const connectionsAtMost = Math.min(httpLimits.connections, Math.floor(descriptors.limit / 2));
  const lastPorts = lastPortIn(state.store);
  let lastPort = await lastPorts.load();
  const serving = await startServing(
    {
      async listen(port, fallback) {
        const http = await startHttpServer({
          ...{
            port,
            fallback,
            tokens,
            admission,
            tools,
            toolPorts,
            accessInUse,
            changes,
            version,
            log,
            newId: randomUUID,
          },
          ...{ pairings, activity, now, descriptors: descriptors.state, limits: { connections: connectionsAtMost } },
          work: stalls.work,
          lastPort,
        });
        if (http.portTaken && http.port !== lastPort) {
          lastPort = http.port;
          await lastPorts.save(http.port).catch(report);
        }
        return http;
      },
      publish(port, { plaintext: token, expiresAt }) {
        issued.issued(token);
        const { pid } = process;
        writeHandshake(locations.handshake, { version: 1, port, token, pid, instance, protocolVersions, expiresAt });
      },
      unpublish: () => removeHandshake(locations.handshake, instance),
      isPublished: () => existsSync(locations.handshake),
      onChanged: run.tellOfServer,
      ...{ tokens, now, portHolder, pause, report },
    },
    wantedServer(settings.current()),
  );
  undo.later(() => {
    run.stop();
    return serving.stop(drainMilliseconds);
  });
  return serving;
}

/** Refused where the server can't be as they want it. */
export function followServerSettings({ settings }: State, { ready }: Run): void {
  settings.onChange(async (key, next) => {
    if (key !== 'enabled' && key !== 'port' && key !== 'port.fallback') return null;
    const up = await ready;
    // Another port switches nothing off that was switched on for this run only.
    const enabled = key === 'enabled' ? next.enabled : up.isWanted();
    return up.change({ ...wantedServer(next), enabled });
  });
}

function wantedServer(settings: Settings): WantedServer {
  return { enabled: settings.enabled, port: settings.port, fallback: settings['port.fallback'] };
}
