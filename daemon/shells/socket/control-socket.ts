/**
 * The daemon's door for shells and bridges (spec §2, §11): it listens on the control socket, bounds
 * who is connected and hands each connection to `peer.ts`. The caller holds the home's lock.
 */

import { createServer, type Server, type Socket } from 'node:net';
import type { ControlNotification } from '../../../shared/control.ts';
import { newNonce } from '../../../shared/proofs.ts';
import { shellSecret } from '../../access/privilege-increases/owner-app.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { openDeskList } from '../desk/desk-list.ts';
import { openListNotifier } from '../list-notifier.ts';
import type { ControlPorts, SocketPlace } from '../ports.ts';
import { isBrakeName, runCommand } from '../run-command.ts';
import { openShownIncreases } from '../shown-increases.ts';
import { openTestedDrafts } from '../tested-drafts.ts';
import { type Peer, type PeerStanding, servePeer } from './peer.ts';
import { makeRoom, placeToAsk } from './room.ts';
import { bindPrivately, leavePlace, moveFolderAside, preparePlace, sameFolder } from './socket-place.ts';

export interface ControlSocket {
  /** Sent to every proved shell. */
  push(notification: ControlNotification): void;
  /** Whether a shell that can ask a person is connected. */
  someoneAnswers(): boolean;
  /**
   * Ends every connection (each may still read its last answer) and removes the socket. Idempotent.
   */
  close(): Promise<void>;
}

/** @throws ControlSocketRefused, SecretStoreUnavailable; both with a sentence for a person. */
export async function startControlSocket(ports: ControlPorts): Promise<ControlSocket> {
  preparePlace(ports.socketPlace());
  const secret = await shellSecret(ports.secrets, newNonce);
  const peers = new Set<Peer>();
  const changes = oneAtATime();
  const increases = oneAtATime();
  const inTurn = oneAtATime();
  function room(latest: Peer): void {
    const make = (): Promise<void> => makeRoom(peers, latest, ports.limits);
    void (latest.standing() === 'shell' ? inTurn(make) : make()).catch(error => ports.report(error));
  }
  let ticks = 0;
  let closing: Promise<void> | null = null;

  const shells = (): string[] => withStanding(peers, 'shell').map(peer => peer.shell());
  const apps = (): Peer[] => withStanding(peers, 'shell').filter(peer => peer.isApp());
  const app = (): Peer | null => {
    const [only, other] = apps();
    // Of two that say so only one can be the app, and nobody can tell which.
    return other === undefined ? (only ?? null) : null;
  };
  const appPresence = () => (app() !== null ? 'here' : apps().length === 0 ? 'away' : 'several');
  const desk = openDeskList(ports, () =>
    withStanding(peers, 'shell').map(peer => ({
      requester: peer,
      isApp: app() === peer,
      saysItIsApp: peer.isApp(),
      notify: peer.notify,
    })),
  );
  const listChanges = openListNotifier(ports);
  const shown = openShownIncreases();
  const testedDrafts = openTestedDrafts();

  const serve = (socket: Socket): void => {
    const peer = servePeer(socket, {
      limits: ports.limits,
      shellSecret: secret,
      isBrake: isBrakeName,
      identify: ports.identify,
      sshAgent: ports.sshAgent,
      report: ports.report,
      originOf: ports.originOf,
      isApp: shell => ports.ownerApp.isApp(shell, secret),
      run: (method, parameters, requester, asked) =>
        runCommand(method, parameters, {
          ports,
          changes,
          increases,
          shells,
          desk,
          shown,
          testedDrafts,
          listChanges,
          appPresence,
          requester,
          shell: requester.shell,
          origin: requester.origin,
          confirmedBy: null,
          authorityDigest: ports.authorityDigest,
          sshConfiguration: ports.tunnels.sshConfiguration,
          isApp: () => app() === requester,
          at: ports.now(),
          ...asked,
        }),
      mayAsk: (asking, begin) =>
        inTurn(async () => {
          const place = await placeToAsk(peers, asking, ports.limits);
          if (place === 'asks') begin();
          return place !== 'no';
        }),
      unproved: () => recordUnproved(ports),
      tick: () => ++ticks,
      onStanding(risen) {
        room(risen);
        if (risen.isApp()) void appCame(ports);
      },
      onGone(left) {
        peers.delete(left);
        // For the app that is left: while there were two, it may have asked in vain.
        if (left.isApp()) desk.tellOfIncreases();
      },
    });
    peers.add(peer);
    room(peer);
  };
  const door = await openDoor(ports, serve);

  return {
    push(notification) {
      for (const peer of withStanding(peers, 'shell')) peer.notify(notification);
    },
    someoneAnswers: () => [...peers].some(peer => peer.answers()),
    close() {
      closing ??= door.close(() => {
        for (const peer of peers) peer.end();
      });
      return closing;
    },
  };
}

/**
 * Called when the app has proved itself. From its first time on a privilege increase needs
 * confirmation, unless somebody set it otherwise; the log records that beginning.
 */
async function appCame({ ownerApp, activity, report }: ControlPorts): Promise<void> {
  const reason = 'Sallyport.app has come, and confirms from now on';
  const isFirst = await ownerApp.connected().catch(error => report(error));
  if (isFirst === true) activity.record({ category: 'access', action: 'increase', outcome: 'success', reason });
}

const unprovedTallyMilliseconds = 60_000;

/** Records requests without proof. They cost their sender nothing, so one row a minute is kept. */
function recordUnproved({ activity, now }: Pick<ControlPorts, 'activity' | 'now'>): void {
  const entry = { category: 'auth', action: 'shell', outcome: 'denied', reason: 'no proof, or a wrong one' } as const;
  activity.tally('shell', now() + unprovedTallyMilliseconds, entry);
}

function withStanding(peers: ReadonlySet<Peer>, standing: PeerStanding): Peer[] {
  return [...peers].filter(peer => peer.standing() === standing);
}

/** How often to look whether somebody removed or replaced the socket. */
const watchMilliseconds = 500;

interface Door {
  /** @param endPeers called once nobody is let in any more; resolves once all have left. */
  close(endPeers: () => void): Promise<void>;
}

/** Listens on the control socket. Makes it and its folder anew if they are gone or not ours. */
async function openDoor(
  { socketPlace, report }: Pick<ControlPorts, 'socketPlace' | 'report'>,
  serve: (socket: Socket) => void,
): Promise<Door> {
  const first = socketPlace();
  const isHomeThere = sameFolder(first.home);
  const closed: Promise<void>[] = [];
  let told: string | null = null;
  let open = await listen(first);
  let turn: Promise<void> = Promise.resolve();
  const watch = setInterval(() => {
    turn = turn.then(look);
  }, watchMilliseconds);
  watch.unref();

  async function listen(place: SocketPlace) {
    const server = createServer({ allowHalfOpen: true }, serve);
    const socket = await bindPrivately(server, place.controlSocket);
    // A failing accept (no file descriptor left) must not end the daemon.
    server.on('error', error => report(error));
    return { place, server, socket };
  }

  /**
   * Binds the socket again if it is gone. Never rejects. If another folder is at the home's path
   * now, it does nothing: the socket there is another daemon's.
   */
  async function look(): Promise<void> {
    if (!isHomeThere()) return;
    try {
      const former = open;
      const place = socketPlace();
      if (place.controlSocket === former.place.controlSocket && former.socket.isThere()) return;
      const aside = moveFolderAside(place.controlSocket);
      if (aside !== null) report(new Error(`a folder stood in the control socket's place; it is ${aside} now`));
      open = await listen(place);
      closed.push(closing(former.server));
      if (place.controlSocket !== former.place.controlSocket) {
        former.socket.remove();
        leavePlace(former.place);
      }
      told = null;
    } catch (error) {
      // The same error is reported once, not twice a second.
      const sentence = error instanceof Error ? error.message : String(error);
      if (sentence !== told) report(error);
      told = sentence;
    }
  }

  return {
    async close(endPeers) {
      clearInterval(watch);
      await turn;
      const { place, server, socket } = open;
      socket.remove();
      closed.push(closing(server));
      endPeers();
      await Promise.all(closed);
      leavePlace(place);
    },
  };
}

/** Resolves once its last connection has ended. */
function closing(server: Server): Promise<void> {
  return new Promise(resolve => void server.close(() => resolve()));
}
