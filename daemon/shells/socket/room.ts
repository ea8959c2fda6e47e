/**
 * Which peer gives its place up if all are taken (spec §11). Peers of one standing never displace
 * those of another: idle connections can't keep a shell from reaching the daemon.
 */

import { crowdOf, type Lineage } from '../../access/limits/crowd.ts';
import type { ControlLimits } from './control-limits.ts';
import type { Peer } from './peer.ts';

/** Cuts one peer if there are too many of the standing of the latest. */
export async function makeRoom(peers: Set<Peer>, latest: Peer, limits: ControlLimits): Promise<void> {
  const standing = latest.standing();
  const most = { silent: limits.silentPeers, identified: limits.identifiedPeers, shell: limits.shells }[standing];
  const alike = (): Peer[] => [...peers].filter(peer => peer.standing() === standing);
  if (alike().length <= most) return;
  // It leaves the set once it is closed; until then another must not be cut in its place.
  const cut = (peer: Peer | undefined): void => {
    if (peer === undefined) return;
    peers.delete(peer);
    peer.cut();
  };
  if (standing !== 'shell') return cut(quietest(alike().filter(peer => peer !== latest)));
  const lineages = new Map(await Promise.all(alike().map(async peer => [peer, await lineageOf(peer)] as const)));
  // Some may have left meanwhile.
  const shells = alike().filter(peer => lineages.has(peer) && !peer.isApp());
  if (alike().length <= most) return;
  const isIdle = (peer: Peer): boolean => peer !== latest && !peer.isAsking();
  const crowd = (among: readonly Peer[]): readonly Peer[] => crowdOf(among, peer => lineages.get(peer) ?? []);
  const idle = shells.filter(isIdle);
  // If each asks a person something, the program that asks most asks one question less, its last.
  cut(idle.length > 0 ? quietest(crowd(idle)) : crowd(shells).at(-1));
}

async function lineageOf(peer: Peer): Promise<Lineage> {
  return (await peer.origin())?.lineage ?? ['unknown'];
}

function quietest(peers: readonly Peer[]): Peer | undefined {
  return peers.length === 0 ? undefined : peers.reduce((a, b) => (a.lastHeard() <= b.lastHeard() ? a : b));
}
