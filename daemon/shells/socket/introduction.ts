/**
 * What a peer may say before it has proved itself (spec §11): `identify`, the two steps of a
 * shell's proof, in which the daemon proves itself first, and the brakes. Judges one line at a time
 * and remembers the challenge; sends nothing.
 */

import * as z from 'zod';
import { errorCodes } from '../../../shared/codes.ts';
import {
  type ControlError,
  type ControlRequest,
  type ControlResponse,
  controlProtocolVersion,
  type ShellChallengeResult,
} from '../../../shared/control.ts';
import { parsedJson } from '../../../shared/json.ts';
import { isNonce, newNonce, sameSecret, shellProof, shellSessionKey } from '../../../shared/proofs.ts';
import { version } from '../../../shared/version.ts';
import { controlError, needsProof } from '../command.ts';
import type { ControlPorts } from '../ports.ts';

type Step =
  /** Not one of our messages: cut silently. */
  | { readonly kind: 'garbage' }
  /** Answered; then the connection ends. */
  | { readonly kind: 'refused'; readonly answer: ControlResponse }
  | { readonly kind: 'identified'; readonly answer: ControlResponse }
  | { readonly kind: 'challenged'; readonly answer: ControlResponse }
  /** A command that needs no proof. */
  | { readonly kind: 'brake'; readonly asked: ControlRequest }
  | {
      readonly kind: 'proved';
      readonly answer: ControlResponse;
      readonly sessionKey: string;
      readonly shell: string;
      /** In the shell's words; null from an older shell. */
      readonly pid: number | null;
    };

export interface Introduction {
  take(line: string): Promise<Step>;
  /** True if a challenge was answered and its proof is awaited. */
  isProving(): boolean;
}

interface Challenge {
  readonly shell: string;
  readonly pid: number | null;
  readonly shellNonce: string;
  readonly daemonNonce: string;
  readonly sshAgent: string | undefined;
}

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string().max(128)]),
  method: z.string().max(128),
  params: z.record(z.string(), z.unknown()).optional(),
});
const protocol = z.string().max(32);
const nonce = z.string().refine(isNonce);
/** A valid absolute path for a socket. An invalid one is ignored and excludes nobody. */
const sshAgent = z
  .string()
  .regex(/^\/[^\0]{1,106}$/)
  .optional()
  .catch(undefined);
const identifyParameters = z.object({ protocol, nonce, sshAgent });
const shell = z.string().regex(/^[a-z0-9-]{1,32}$/);
const pid = z.int32().positive();
const challengeParameters = z.object({ protocol, nonce, shell, pid: pid.optional(), sshAgent });
const proveParameters = z.object({ proof: z.string().max(64) });

export interface IntroductionPorts extends Pick<ControlPorts, 'identify' | 'sshAgent'> {
  /** Whether a peer may ask for that command without a proof. */
  readonly isBrake: (method: string) => boolean;
  readonly shellSecret: string;
}

export function introductions(ports: IntroductionPorts): Introduction {
  let challenge: Challenge | null = null;

  async function take(line: string): Promise<Step> {
    const asked = parse(line);
    if (asked === null) return { kind: 'garbage' };
    switch (asked.method) {
      case 'identify':
        return identify(asked);
      case 'shell.challenge':
        return answerChallenge(asked);
      case 'shell.prove':
        return verifyProof(asked);
      default:
        // Once a proof has begun, what follows it is sealed.
        return challenge === null && ports.isBrake(asked.method) ? { kind: 'brake', asked } : unproved(asked);
    }
  }

  async function identify(asked: ControlRequest): Promise<Step> {
    const parameters = identifyParameters.safeParse(asked.params);
    if (!parameters.success) return malformed(asked);
    if (parameters.data.protocol !== controlProtocolVersion) {
      return otherVersion(asked, parameters.data.protocol);
    }
    if (parameters.data.sshAgent !== undefined) ports.sshAgent(parameters.data.sshAgent);
    return { kind: 'identified', answer: answerTo(asked, await ports.identify(parameters.data.nonce)) };
  }

  function answerChallenge(asked: ControlRequest): Step {
    // One per connection: otherwise a peer could collect proofs for nonces of its choice without
    // end.
    if (challenge !== null) return unproved(asked);
    const parameters = challengeParameters.safeParse(asked.params);
    if (!parameters.success) return malformed(asked);
    if (parameters.data.protocol !== controlProtocolVersion) {
      return otherVersion(asked, parameters.data.protocol);
    }
    const { shell, nonce: shellNonce, pid = null, sshAgent: agent } = parameters.data;
    const daemonNonce = newNonce();
    challenge = { shell, pid, shellNonce, daemonNonce, sshAgent: agent };
    const proof = shellProof(ports.shellSecret, 'daemon', shellNonce, daemonNonce);
    const result: ShellChallengeResult = { protocol: controlProtocolVersion, nonce: daemonNonce, proof };
    return { kind: 'challenged', answer: answerTo(asked, result) };
  }

  function verifyProof(asked: ControlRequest): Step {
    const parameters = proveParameters.safeParse(asked.params);
    if (challenge === null || !parameters.success) return unproved(asked);
    const { shell, pid, shellNonce, daemonNonce } = challenge;
    const expected = shellProof(ports.shellSecret, 'shell', shellNonce, daemonNonce);
    if (!sameSecret(parameters.data.proof, expected)) return unproved(asked);
    if (challenge.sshAgent !== undefined) ports.sshAgent(challenge.sshAgent);
    const sessionKey = shellSessionKey(ports.shellSecret, shellNonce, daemonNonce);
    return { kind: 'proved', answer: answerTo(asked, {}), sessionKey, shell, pid };
  }

  return { take, isProving: () => challenge !== null };
}

function parse(line: string): ControlRequest | null {
  const checked = request.safeParse(parsedJson(line));
  return checked.success ? (checked.data as ControlRequest) : null;
}

function answerTo(asked: ControlRequest, result: unknown): ControlResponse {
  return { jsonrpc: '2.0', id: asked.id, result };
}

function refuse(asked: ControlRequest, error: ControlError): Step {
  return { kind: 'refused', answer: { jsonrpc: '2.0', id: asked.id, error } };
}

/** The same for a wrong proof, a missing one and any command but the brakes. */
function unproved(asked: ControlRequest): Step {
  return refuse(asked, needsProof);
}

const formless = controlError(
  errorCodes.invalidParams,
  'invalid_parameters',
  'The parameters are not of the expected form.',
  [],
);

function malformed(asked: ControlRequest): Step {
  return refuse(asked, formless);
}

function otherVersion(asked: ControlRequest, theirs: string): Step {
  const error = controlError(
    errorCodes.unsupportedProtocolVersion,
    'other_version',
    `This is Sallyport ${version}, whose control protocol is ${controlProtocolVersion}, not ${JSON.stringify(theirs)}. \`sallyport restart\`, of the version that you installed last, makes them one.`,
    [],
    { supported: [controlProtocolVersion] },
  );
  return refuse(asked, error);
}
