/**
 * Checks whether a bridge would believe this home (spec §2 Trust): the handshake, and the proof of
 * whoever answers on the control socket. Sends the token nowhere.
 */

import type { IdentifyResult } from '../../shared/control.ts';
import { ControlLink } from '../../shared/control-link.ts';
import { readHandshake } from '../../shared/handshake.ts';
import type { Locations } from '../../shared/locations.ts';
import { identifyProof, newNonce, sameSecret } from '../../shared/proofs.ts';
import { type Check, ok, problem } from './check.ts';

const waitMilliseconds = 5_000;
const restart = '`sallyport stop`, then `sallyport start`';

/**
 * @param isRunning true if a daemon of this home has proved itself to this shell, or if something
 *   answers that the shell couldn't ask.
 */
export async function checkTrust(locations: Locations, isRunning: boolean): Promise<Check[]> {
  if (!isRunning) return [leftOver(locations)];
  const nonce = newNonce();
  const answer = await identify(locations.controlSocket, nonce);
  if (answer === null) return [problem('trust', 'The control socket did not answer `identify` within 5 s.', restart)];
  if (answer.server === 'off') return [ok('handshake', 'None: the server is switched off.')];
  // Read after the answer, which may have rewritten it.
  const read = readHandshake(locations.handshake);
  if (read.kind === 'absent')
    return [problem('handshake', `${locations.handshake} is missing though the daemon runs.`, restart)];
  if (read.kind === 'untrusted') return [problem('handshake', `${read.problem}.`, restart)];
  const { handshake } = read;
  const written = ok('handshake', `Process ${handshake.pid} serves on port ${handshake.port}.`);
  const isSame = handshake.instance === answer.instance && handshake.port === answer.port;
  const expected = identifyProof(handshake.token, nonce, handshake.instance, handshake.port);
  if (isSame && sameSecret(answer.proof, expected))
    return [written, ok('trust', 'The endpoint proves that it belongs to this daemon.')];
  return [
    written,
    problem(
      'trust',
      'The program on the control socket did not write the handshake, so no bridge believes it.',
      restart,
    ),
  ];
}

function leftOver({ handshake }: Locations): Check {
  const read = readHandshake(handshake);
  if (read.kind === 'absent') return ok('handshake', 'None: no daemon runs.');
  if (read.kind === 'untrusted')
    return problem('handshake', `${read.problem}, so no bridge believes it.`, `remove ${handshake}`);
  return ok('handshake', `Left by process ${read.handshake.pid}, which was killed; the next start replaces it.`);
}

async function identify(socketPath: string, nonce: string): Promise<IdentifyResult | null> {
  const link = await ControlLink.open(socketPath);
  const answer = (await link?.identify(nonce, waitMilliseconds)) ?? null;
  link?.close();
  return resultIn(answer);
}

function resultIn(answer: unknown): IdentifyResult | null {
  const result = answer as Partial<IdentifyResult> | null;
  if (result?.server === 'off') return { server: 'off', protocol: '', version: '' };
  if (result?.server !== 'on' || typeof result.proof !== 'string') return null;
  return result as IdentifyResult;
}
