/**
 * Opens what outlives a run (spec §2), one after another: storage, activity log, registers, counts
 * and histories of statements, the connections' databases. `undo` closes each in reverse order.
 * Nothing here listens on a socket or port.
 */

import { randomBytes } from 'node:crypto';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { userHome } from '../shared/account.ts';
import type { Note } from '../shared/note.ts';
import { version } from '../shared/version.ts';
import { accessInUse, principalOfToken } from './access/access-in-use.ts';
import type { ConnectionRegister } from './access/connection-register.ts';
import { type KnownServers, openKnownServers } from './access/known-servers.ts';
import { loadGrants } from './access/privilege-increases/grants.ts';
import { loadOwnerApp } from './access/privilege-increases/owner-app.ts';
import { doubtClause } from './access/store-doubt.ts';
import { openDatabase } from './engines/open-database.ts';
import { identityOf } from './engines/server-identity.ts';
import { forwardLog } from './forwarded-log.ts';
import { logOfMet } from './met-servers.ts';
import { openStorage, type Storage } from './open-storage.ts';
import type { StopCause } from './processes/stop-signals.ts';
import { loadConnections, loadOwner, loadSettings, loadTokens } from './registers.ts';
import { putSettingsIntoEffect } from './setting-effects.ts';
import { standingsIn } from './standings.ts';
import { keepOpenDatabases } from './statement/open-databases.ts';
import { rowQuota } from './statement/row-quota.ts';
import { unknownOutcomes } from './statement/unknown-outcomes.ts';
import { type OpenActivityLog, openActivityLog } from './storage/activity/log.ts';
import { openHistory } from './storage/history/history.ts';
import { ownFileProblem } from './storage/own-files.ts';
import { openPolicyFile } from './storage/policy-file.ts';
import { socketPlace } from './storage/runtime-folders.ts';
import { passwordsIn } from './storage/secrets/passwords.ts';
import { sentCommitsIn } from './storage/sent-commits.ts';
import { openBridgeTokens } from './storage/store/bridge-tokens.ts';
import { knownServersIn } from './storage/store/known-servers.ts';
import { rowQuotaIn } from './storage/store/row-quota.ts';
import { appSeenIn, grantsIn } from './storage/store/settings.ts';
import { openTokenUses } from './storage/store/token-uses.ts';
import { waitingRequestsIn } from './storage/store/waiting-requests.ts';
import { openUnfinished, unfinishedFile } from './storage/unfinished.ts';
import { sshAgents } from './tunnels/ssh/agents.ts';
import { openTunnels, tunnelsFolder } from './tunnels/tunnels.ts';
import type { Undo } from './undo.ts';

export type State = Awaited<ReturnType<typeof openState>>;

/**
 * @param home the folder of this daemon's files.
 * @param cause tells who stops the daemon, once that was requested; its log's last row says so.
 */
export async function openState(home: string, cause: () => StopCause, undo: Undo) {
  const storage = await openStorage(home, undo);
  const { store, secrets, locations, clock, now, report } = storage;
  const wasPaused = await storage.pauses.load();
  const activity = await openActivity(storage, cause, undo);
  const isPaused = wasPaused || activity.doubt !== null;

  /** What was undone because the store gave clients more than its owner had left them. */
  const takenBack: Note[] = [];
  const connections = await loadConnections(storage, activity, takenBack, undo);
  const tokens = await loadTokens(storage, activity);
  const settings = await loadSettings(storage);
  const owner = await loadOwner(storage);
  const ownerApp = await loadOwnerApp({ platform: process.platform, secrets, store: appSeenIn(store) });
  const grants = await loadGrants(grantsIn(store));
  const policyFile = await openPolicyFile(store);
  const isOlderCopy = activity.wasOlderCopy;
  const standings = await standingsIn({ activity, connections, tokens, now, isOlderCopy }, undo);

  const historySettings = () => ({
    isOn: settings.current().history === 'on',
    days: settings.current()['history.days'],
  });
  const history = openHistory({ store, settings: historySettings, now, retentionNow: clock.now, report });
  undo.later(() => history.close());
  const uses = await openTokenUses({ store, now, tokenIds: tokens.list().map(({ id }) => id), report });
  undo.later(() => uses.close());
  tokens.onEnded(id => {
    if (tokens.find(id) === null) uses.forget(id);
  });
  const issued = await openBridgeTokens(store, locations.handshake, now, report);
  undo.later(() => issued.settled());
  const clocks = () => ({ wall: now(), uptime: uptime() * 1000 });
  const rowsOfTokens = rowQuota({ ...(await rowQuotaIn(store)), clocks, report });

  const inUse = accessInUse({
    connections,
    now,
    principalNow: principal => principalOfToken(principal, tokens.find(principal.tokenId)),
  });
  undo.later(tokens.onAccessEdited(inUse.lookAgain));
  // This comes before the listener that closes a connection's sessions: a cancelled statement
  // tells more exactly how it ended.
  connections.onChanged(inUse.lookAgain);
  const knownServers = await openKnownServers(knownServersIn(store, activity.sealOf), {
    now,
    met: logOfMet(storage.log),
  });
  const { databases, tunnels, sshAgent, passwordOf, secretOf, unfinished } = openDatabases(
    storage,
    connections,
    knownServers,
    undo,
  );

  const outcomes = unknownOutcomes({ ...sentCommitsIn(unfinished, activity.sealOf), activity, history, now });

  const waitingRequests = await waitingRequestsIn(store, activity.sealOf, report);

  putSettingsIntoEffect(storage, activity, settings, history);
  const forwardedLog = forwardLog({ home: storage.home, activity, settings, report }, undo);
  return {
    storage,
    activity,
    forwardedLog,
    isPaused,
    takenBack,
    connections,
    tokens,
    settings,
    owner,
    ownerApp,
    grants,
    policyFile,
    standings,
    history,
    uses,
    issued,
    rowQuota: rowsOfTokens,
    accessInUse: inUse,
    databases,
    knownServers,
    tunnels,
    sshAgent,
    passwordOf,
    secretOf,
    unfinished,
    unknownOutcomes: outcomes,
    waitingRequests,
  };
}

async function openActivity(
  { store, secrets, pauses, now, clock, report }: Storage,
  cause: () => StopCause,
  undo: Undo,
): Promise<OpenActivityLog> {
  // `secrets` is the queue that moving the secrets waits in, too. So the log's head is never
  // written while the secrets move, nor are they moved while it is written.
  const activity = await openActivityLog({
    store,
    secrets,
    now,
    retentionNow: clock.now,
    randomBytes,
    report,
    doubted: doubt => pauses.save(true, doubt).catch(report),
  });
  undo.later(() => activity.close());
  const admin = { category: 'admin', outcome: 'success' } as const;
  activity.record({ ...admin, action: 'daemon.start', reason: `Sallyport ${version}` });
  undo.later(() => activity.record({ ...admin, action: 'daemon.stop', ...cause() }));
  if (activity.doubt !== null) activity.record({ ...admin, action: 'pause', reason: doubtClause(activity.doubt) });
  return activity;
}

function openDatabases(
  { home, secrets, elapsed, report }: Storage,
  connections: ConnectionRegister,
  knownServers: KnownServers,
  undo: Undo,
) {
  const unfinished = openUnfinished(join(home, unfinishedFile), report);
  undo.later(() => unfinished.close());
  const passwords = passwordsIn(secrets);
  undo.later(() => passwords.close());
  const agents = sshAgents();
  const tunnels = openTunnels({
    folder: () => join(socketPlace(home).controlSocketFolder, tunnelsFolder),
    userHome: userHome(),
    systemsFile: '/etc/ssh/ssh_config',
    agent: agents.newest,
    secretOf: passwords.secretOf,
  });
  undo.later(() => tunnels.close());
  const opened = keepOpenDatabases((connection, password, secretOf = passwords.secretOf) =>
    openDatabase(connection, {
      password: async () => password ?? passwords.of(connection),
      anotherPassword: refused => passwords.another(connection, refused),
      keyPassphrase: () => secretOf('keyPassphrase', connection),
      identity: identityOf(
        connection,
        connection.password.kind === 'none' ? null : address => knownServers.at(connection, address),
      ),
      now: elapsed,
      line: tunnels.lineOf(connection, secretOf),
      refuseFile: (realPath, device, inode) =>
        ownFileProblem(home, realPath, { realPath, inode: `${device}:${inode}` }),
    }),
  );
  const databases = {
    ...opened,
    async forget(id: string) {
      await opened.forget(id);
      await tunnels.forget(id);
    },
  };
  undo.later(() => databases.close());
  connections.onChanged(id => {
    if (connections.find(id) === null) void databases.forget(id);
  });
  const sshAgent = (path: string): void => {
    if (agents.told(path)) tunnels.retryAll();
  };
  const { of: passwordOf, secretOf } = passwords;
  return { databases, tunnels, sshAgent, passwordOf, secretOf, unfinished };
}
