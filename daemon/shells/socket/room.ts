/**
 * Who has a place on the control socket (spec §11 Places): which peer gives its own up if all are
 * taken, and whether a shell may ask a person one thing more. Peers of one standing never displace
 * those of another, and a shell that asks a person is displaced by nobody.
 */

import { crowdOf, treeOf } from '../../access/limits/crowd.ts';
import type { ProcessOrigin } from '../../access/privilege-increases/origin-words.ts';
import type { ControlLimits } from './control-limits.ts';
import type { Peer } from './peer.ts';

/** Cuts one peer if there are too many of the standing of the latest. */
export async function makeRoom(peers: Set<Peer>, latest: Peer, limits: ControlLimits): Promise<void> {
  const standing = latest.standing();
  const most = { silent: limits.silentPeers, identified: limits.identifiedPeers, shell: limits.shells }[standing];
  const alike = (): Peer[] => [...peers].filter(peer => peer.standing() === standing && !isKept(peer, peers));
  const isCrowded = (): boolean => alike().length > most;
  if (!isCrowded()) return;
  const origins = standing === 'shell' ? await originsOf(alike()) : null;
  // Some may have left or begun to ask meanwhile.
  if (!isCrowded()) return;
  const others = alike().filter(peer => peer !== latest);
  const crowd = origins === null ? others : crowdOf(others, peer => lineageOf(origins.get(peer)));
  const least = quietest(crowd);
  if (least === undefined) return;
  // It leaves the set once it is closed; until then another must not be cut in its place.
  peers.delete(least);
  least.cut();
}

/**
 * Whether a shell may open a question for a person, beside those that others have open. Without a
 * terminal it asks nobody, unless it is Sallyport.app.
 * @returns `asks` takes a place; `looks` needs none; `no` has none.
 */
export async function placeToAsk(
  peers: ReadonlySet<Peer>,
  shell: Peer,
  limits: ControlLimits,
): Promise<'asks' | 'looks' | 'no'> {
  if (shell.isAsking()) return 'asks';
  const origin = await shell.origin();
  if (origin?.terminal === null && !shell.isApp()) return 'looks';
  const asking = [...peers].filter(peer => peer.isAsking());
  if (isOnlyApp(shell, peers)) return 'asks';
  if (asking.length >= limits.askingAtMost) return 'no';
  if (asking.length < limits.asking) return 'asks';
  const others = [...(await originsOf(asking)).values()];
  if (others.some(other => other?.terminal === origin?.terminal)) return 'no';
  const tree = treeOf(lineageOf(origin));
  const ofTree = others.filter(other => treeOf(lineageOf(other)) === tree);
  return ofTree.length < limits.askingAtMost / 2 ? 'asks' : 'no';
}

function isKept(peer: Peer, peers: ReadonlySet<Peer>): boolean {
  return peer.isAsking() || isOnlyApp(peer, peers);
}

/** Two that claim to be Sallyport.app are any shells. */
function isOnlyApp(peer: Peer, peers: ReadonlySet<Peer>): boolean {
  return peer.isApp() && [...peers].every(other => other === peer || !other.isApp());
}

type Origins = ReadonlyMap<Peer, ProcessOrigin | null>;

async function originsOf(peers: readonly Peer[]): Promise<Origins> {
  return new Map(await Promise.all(peers.map(async peer => [peer, await peer.origin()] as const)));
}

function lineageOf(origin: ProcessOrigin | null | undefined): ProcessOrigin['lineage'] {
  return origin?.lineage ?? ['unknown'];
}

function quietest(peers: readonly Peer[]): Peer | undefined {
  return peers.length === 0 ? undefined : peers.reduce((a, b) => (a.lastHeard() <= b.lastHeard() ? a : b));
}
