/**
 * Decides whether an endpoint may get the bearer token (spec §2 Trust). Anything short of the whole
 * proof is "untrusted", never "try it". Opens no connection to the port and sends the token
 * nowhere.
 */

import { existsSync } from 'node:fs';
import { errorCodes, modernProtocolVersion } from '../../shared/codes.ts';
import { controlProtocolVersion } from '../../shared/control.ts';
import { ControlLink, silence } from '../../shared/control-link.ts';
import { type Handshake, type HandshakeRead, readHandshake } from '../../shared/handshake.ts';
import { isObject } from '../../shared/json.ts';
import { type Locations, locationsIn } from '../../shared/locations.ts';
import { folderProblem } from '../../shared/private-files.ts';
import { isAlive } from '../../shared/process-alive.ts';
import { identifyProof, newNonce, sameSecret } from '../../shared/proofs.ts';
import type { JsonObject } from '../client/message.ts';

export type DaemonStanding =
  /** `discovery` as the daemon sent it with the proof, or null. */
  | { readonly kind: 'proven'; readonly handshake: Handshake; readonly discovery: JsonObject | null }
  /** The daemon says this without proof, so nothing is sent because of it. */
  | { readonly kind: 'off' }
  /** A process answers on the control socket, but has no handshake yet. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'absent' }
  /** A process has the control socket and said nothing: a busy daemon, on a slow machine. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'untrusted'; readonly problem: string }
  | { readonly kind: 'outdated'; readonly offered: readonly string[] }
  /** `isOlder` than this bridge; null if it said too little to tell. */
  | {
      readonly kind: 'incompatible';
      readonly running: { readonly version: string | null; readonly isOlder: boolean | null };
    };

interface DaemonLook {
  readonly standing: DaemonStanding;
  /**
   * The connection that the proof came on; non-null only for `proven`, and then the caller keeps
   * it.
   */
  readonly link: ControlLink | null;
}

/**
 * @param home the socket's place is looked up at each look: its folder may have been made anew.
 */
export async function lookForDaemon(home: string, timeoutMilliseconds: number): Promise<DaemonLook> {
  const locations = locationsIn(home);
  if (!existsSync(locations.controlSocketFolder)) return { standing: unanswered(locations), link: null };
  const problem = folderProblem(locations.controlSocketFolder);
  if (problem !== null) return { standing: { kind: 'untrusted', problem }, link: null };
  const link = await ControlLink.open(locations.controlSocket);
  if (link === null) return { standing: unanswered(locations), link: null };
  const standing = await askForProof(link, locations, timeoutMilliseconds);
  if (standing.kind === 'proven') return { standing, link };
  link.close();
  return { standing, link: null };
}

/**
 * Asks on an open connection. An expired handshake doesn't matter: `identify` rewrites it before it
 * answers.
 */
export async function askForProof(
  link: ControlLink,
  locations: Locations,
  timeoutMilliseconds: number,
): Promise<DaemonStanding> {
  const nonce = newNonce();
  const answer = await link.identify(nonce, timeoutMilliseconds);
  // Read after the answer: the token now in the file must have made the proof.
  return standingOf(answer, nonce, readHandshake(locations.handshake));
}

/** @param answer to `identify`, as ControlLink gives it. */
export function standingOf(answer: unknown, nonce: string, file: HandshakeRead): DaemonStanding {
  if (answer === silence || answer === null) return { kind: 'silent' };
  if (!isObject(answer)) return untrusted('its control socket gave an answer that is none');
  const { server, protocol, version, instance, port, proof, discovery, error } = answer;
  if (isObject(error) && error.code === errorCodes.unsupportedProtocolVersion) {
    const supported = isObject(error.data) && Array.isArray(error.data.supported) ? error.data.supported : [];
    return { kind: 'incompatible', running: { version: null, isOlder: isOlder(supported[0]) } };
  }
  if (typeof protocol !== 'string' || protocol !== controlProtocolVersion) {
    const theirs = typeof version === 'string' ? version : null;
    return { kind: 'incompatible', running: { version: theirs, isOlder: isOlder(protocol) } };
  }
  if (server === 'off') return { kind: 'off' };
  if (file.kind === 'absent') return { kind: 'starting' };
  if (file.kind === 'untrusted') return file;
  const { handshake } = file;
  if (handshake.instance !== instance || handshake.port !== port) {
    return untrusted('the handshake file was written by another run than the one that answers');
  }
  const expected = identifyProof(handshake.token, nonce, handshake.instance, handshake.port);
  if (typeof proof !== 'string' || !sameSecret(proof, expected)) {
    return untrusted('its control socket could not prove that it knows the token');
  }
  if (!handshake.protocolVersions.includes(modernProtocolVersion)) {
    return { kind: 'outdated', offered: handshake.protocolVersions };
  }
  return { kind: 'proven', handshake, discovery: isObject(discovery) ? discovery : null };
}

/** No answer on the control socket: no daemon runs, or a handshake points elsewhere. */
function unanswered(locations: Locations): DaemonStanding {
  const file = readHandshake(locations.handshake);
  if (file.kind === 'untrusted') return file;
  if (file.kind === 'read' && isAlive(file.handshake.pid)) {
    return untrusted(`the handshake file points at process ${file.handshake.pid}, which does not answer for it`);
  }
  return { kind: 'absent' };
}

function isOlder(protocol: unknown): boolean | null {
  const [theirs, ours] = [protocol, controlProtocolVersion].map(known => Number.parseInt(String(known), 10));
  return theirs === undefined || ours === undefined || Number.isNaN(theirs) ? null : theirs < ours;
}

function untrusted(problem: string): DaemonStanding {
  return { kind: 'untrusted', problem };
}
