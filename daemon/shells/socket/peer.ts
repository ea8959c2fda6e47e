/**
 * One connection to the control socket. It knows the peer's standing so far, reads its lines in
 * order and runs its requests side by side. It cuts peers that are slow, send too much or break the
 * protocol. The table of commands is elsewhere.
 */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { errorCodes } from '../../../shared/codes.ts';
import {
  type ControlMessage,
  type ControlNotification,
  type ControlRequest,
  type ControlResponse,
  seal,
  unseal,
} from '../../../shared/control.ts';
import { isObject, parsedJson } from '../../../shared/json.ts';
import { LineSplitter } from '../../../shared/lines.ts';
import type { ProcessOrigin } from '../../access/privilege-increases/origin-words.ts';
import { type CommandContext, type CommandOutcome, controlError } from '../command.ts';
import { PartlyApplied, tellApplied } from '../policy/partly-applied.ts';
import type { ControlPorts } from '../ports.ts';
import type { ControlLimits } from './control-limits.ts';
import { type Introduction, type IntroductionPorts, introductions } from './introduction.ts';
import { wellFormedJson } from './well-formed-json.ts';

const originMilliseconds = 1_000;

/** What the log calls a peer before its proof; no shell can call itself that. */
const nameless = 'a program without proof';

/** `silent` until it said something useful; a bridge stays `identified`; a `shell` is proved. */
export type PeerStanding = 'silent' | 'identified' | 'shell';

export interface Peer {
  standing(): PeerStanding;
  /** The shell's name for itself; {@link nameless} before its proof. */
  shell(): string;
  /** True for a proved shell that said it can ask a person. */
  answers(): boolean;
  /** Its process, looked up at the first call. Null before its proof, or if unknown in a second. */
  origin(): Promise<ProcessOrigin | null>;
  /** True if it has proved itself as Sallyport.app, on a system that has one. */
  isApp(): boolean;
  /** True while a person may be looking at one of its questions: then it isn't cut for others. */
  isAsking(): boolean;
  /** The tick at which it sent something last, for choosing whom to drop. */
  lastHeard(): number;
  /** @param taken called once the line has left us for the peer; never if it is cut before. */
  notify(notification: ControlNotification, taken?: () => void): void;
  /** Lets the last answer be read, then cuts. */
  end(): void;
  cut(): void;
}

interface PeerPorts extends IntroductionPorts, Pick<ControlPorts, 'report' | 'originOf'> {
  readonly limits: ControlLimits;
  readonly run: (
    method: string,
    parameters: unknown,
    peer: Peer,
    requester: Pick<
      CommandContext,
      'signal' | 'attach' | 'follow' | 'passphrase' | 'confirmIn' | 'touchId' | 'requestId' | 'isProved'
    >,
  ) => Promise<CommandOutcome<unknown>>;
  /** Whether a proved shell with that name is Sallyport.app. */
  readonly isApp: (shell: string) => boolean;
  /**
   * Asks for a place among the peers that may show questions.
   * @param begin called at once if the peer gets a place.
   * @returns false if there is none.
   */
  readonly mayAsk: (peer: Peer, begin: () => void) => Promise<boolean>;
  /** Called for each peer that asked without proof for what needs one. */
  readonly unproved: () => void;
  /** Grows with each call. */
  readonly tick: () => number;
  readonly onStanding: (peer: Peer) => void;
  readonly onGone: (peer: Peer) => void;
}

/** Commands whose answers are shown to a person, who then decides. */
const showsQuestion: ReadonlySet<string> = new Set(['pairing.begin', 'desk.list', 'desk.open', 'desk.attach']);

const crowded: CommandOutcome<never> = {
  kind: 'refused',
  error: controlError(
    errorCodes.rateLimited,
    'too_many_questions',
    'Too many questions are open on terminals, and this program or its terminal has its share of them. Close one, then try again; `sallyport restart` closes all.',
    [],
  ),
};

type Asked = Pick<CommandContext, 'passphrase' | 'confirmIn' | 'touchId' | 'isProved'>;

/** What is known of a proved shell, and how many sealed lines each side has sent. */
interface Session {
  readonly key: string;
  readonly shell: string;
  readonly isApp: boolean;
  readonly pid: number | null;
  origin: Promise<ProcessOrigin | null> | null;
  received: number;
  sent: number;
}

export function servePeer(socket: Socket, ports: PeerPorts): Peer {
  const { limits } = ports;
  const lines = new LineSplitter(limits.plainLineBytes);
  const introduction: Introduction = introductions(ports);
  const gone = new AbortController();
  const waiting: string[] = [];
  let standing: PeerStanding = 'silent';
  let session: Session | null = null;
  let working = false;
  let plainLines = 0;
  let inFlight = 0;
  let answers = false;
  /** True while it has a place, for a question that it shows or a passphrase that may be typed. */
  let asks = false;
  const following = new Map<string, () => void>();
  let lastHeard = ports.tick();
  let deadline = armDeadline();

  const peer: Peer = {
    standing: () => standing,
    shell: () => session?.shell ?? nameless,
    answers: () => answers,
    async origin() {
      if (session === null || session.pid === null) return null;
      session.origin ??= ports.originOf(session.pid);
      // The look-up opens files of another program, which may never open: that must not hold up a
      // brake.
      return Promise.race([session.origin, after(originMilliseconds, null, { ref: false })]);
    },
    isApp: () => session?.isApp ?? false,
    isAsking: () => answers || asks,
    lastHeard: () => lastHeard,
    notify: (notification, taken) => {
      if (session !== null) sendSealed(session, notification, taken);
    },
    end() {
      socket.end();
      setTimeout(() => socket.destroy(), limits.closeMilliseconds).unref();
    },
    cut: () => void socket.destroy(),
  };

  socket.on('data', take);
  // A half-open peer is useless.
  socket.on('end', () => socket.end());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(deadline);
    gone.abort();
    for (const stop of following.values()) stop();
    waiting.length = 0;
    ports.onGone(peer);
  });
  const attach = (wanted: boolean): void => {
    answers = wanted;
  };
  const follow: CommandContext['follow'] = (topic, begin) => {
    following.get(topic)?.();
    // A command may have waited for its turn until its shell was gone.
    following.set(topic, gone.signal.aborted ? () => {} : begin(peer.notify));
  };
  return peer;

  function armDeadline(): NodeJS.Timeout {
    return setTimeout(() => socket.destroy(), limits.proofMilliseconds).unref();
  }

  function take(chunk: Buffer): void {
    lastHeard = ports.tick();
    try {
      waiting.push(...lines.push(chunk));
    } catch {
      socket.destroy();
      return;
    }
    pump();
  }

  /**
   * Takes the lines that wait. A plain line is answered before the next is taken; the socket pauses
   * meanwhile, so nothing piles up. Sealed lines are unsealed in order and answered side by side.
   */
  function pump(): void {
    while (!working && !socket.destroyed && !socket.writableEnded) {
      const line = waiting.shift();
      if (line === undefined) return;
      if (session !== null) {
        takeSealed(session, line);
        continue;
      }
      working = true;
      socket.pause();
      void takePlain(line)
        .catch(error => ports.report(error))
        .finally(() => {
          plainLines += 1;
          // A peer that endlessly asks who we are gets few answers, and not all of our time.
          if (session !== null || plainLines < limits.quickPlainLines) goOn();
          else setTimeout(goOn, limits.plainPaceMilliseconds).unref();
        });
    }
  }

  function goOn(): void {
    working = false;
    socket.resume();
    pump();
  }

  async function takePlain(line: string): Promise<void> {
    const step = await introduction.take(line);
    if (socket.destroyed) return;
    switch (step.kind) {
      case 'garbage':
        socket.destroy();
        return;
      case 'refused':
        if ('error' in step.answer && step.answer.error.code === errorCodes.unauthenticated) ports.unproved();
        write(step.answer);
        peer.end();
        return;
      case 'identified':
        write(step.answer);
        if (standing === 'silent') rise('identified');
        if (!introduction.isProving()) clearTimeout(deadline);
        return;
      case 'challenged':
        clearTimeout(deadline);
        deadline = armDeadline();
        write(step.answer);
        return;
      case 'brake':
        clearTimeout(deadline);
        await answerBrake(step.asked);
        deadline = armDeadline();
        return;
      case 'proved':
        clearTimeout(deadline);
        lines.raiseLimit(limits.sealedLineBytes);
        session = {
          key: step.sessionKey,
          shell: step.shell,
          isApp: ports.isApp(step.shell),
          pid: step.pid,
          origin: null,
          received: 0,
          sent: 0,
        };
        write(step.answer);
        rise('shell');
    }
  }

  function rise(to: PeerStanding): void {
    standing = to;
    ports.onStanding(peer);
  }

  function takeSealed(known: Session, line: string): void {
    known.received += 1;
    const text = unseal(known.key, 'shell', known.received, line);
    const message = text === null ? null : parse(text);
    if (message === null) {
      socket.destroy();
      return;
    }
    // Answers and notifications from a shell: nothing here waits for one.
    if (isRequest(message)) void answer(known, message);
  }

  async function answer(
    known: Session,
    { id, method, params, passphrase: typed, confirm, touchId: signed }: ControlRequest,
  ): Promise<void> {
    if (inFlight >= limits.requestsInFlight) {
      const message = 'Too many requests at once on this connection; wait for an answer first.';
      const error = controlError(errorCodes.rateLimited, 'too_many_requests', message, []);
      sendSealed(known, { jsonrpc: '2.0', id, error });
      return;
    }
    inFlight += 1;
    const passphrase = typeof typed === 'string' && typed.length <= limits.passphraseCharacters ? typed : null;
    const confirmIn = confirm === 'app' ? 'app' : null;
    const touchId = typeof signed === 'string' && signed.length <= limits.signatureCharacters ? signed : null;
    const outcome = await outcomeOrCrowded(method, params, { passphrase, confirmIn, touchId, isProved: true });
    inFlight -= 1;
    if (!showsQuestion.has(method) && !wantsConfirmation(outcome)) asks = false;
    sendSealed(known, responseTo(id, outcome));
  }

  /**
   * Runs a request if there is a place for the question that it may show. For a method that always
   * shows one, the place is taken before the request begins. Any other request learns only from its
   * outcome that a person must confirm it.
   */
  async function outcomeOrCrowded(method: string, params: unknown, how: Asked): Promise<CommandOutcome<unknown>> {
    const mayAsk = () =>
      ports.mayAsk(peer, () => {
        asks = true;
      });
    if ((showsQuestion.has(method) || how.confirmIn === 'app') && !(await mayAsk())) return crowded;
    const outcome = await outcomeOf(method, params, how);
    return wantsConfirmation(outcome) && !(await mayAsk()) ? crowded : outcome;
  }

  /**
   * Runs a brake for a peer without proof. The next line waits until the peer has read the answer,
   * so at most one answer is kept for it.
   */
  async function answerBrake({ id, method, params }: ControlRequest): Promise<void> {
    const nothing = { passphrase: null, confirmIn: null, touchId: null } as const;
    const outcome = await outcomeOf(method, params, { ...nothing, isProved: false });
    if (socket.destroyed || socket.writableEnded) return;
    const line = wellFormedJson(responseTo(id, outcome));
    const taken = new Promise<void>(resolve => socket.write(`${line}\n`, () => resolve()));
    const late = setTimeout(() => socket.destroy(), limits.proofMilliseconds).unref();
    await taken.finally(() => clearTimeout(late));
  }

  async function outcomeOf(method: string, params: unknown, how: Asked): Promise<CommandOutcome<unknown>> {
    const requestId = randomUUID();
    try {
      return await ports.run(method, params, peer, { signal: gone.signal, attach, follow, ...how, requestId });
    } catch (thrown) {
      const partly = thrown instanceof PartlyApplied ? thrown : null;
      ports.report(partly === null ? thrown : partly.cause, requestId);
      const message = `The daemon had an internal error; its log says more under request ${requestId}.`;
      const error = controlError(errorCodes.internal, 'internal', message, [{ request: requestId }]);
      const failure = { kind: 'refused', error } as const;
      return partly === null ? failure : tellApplied(failure, partly.count);
    }
  }

  function sendSealed(known: Session, message: ControlMessage, taken?: () => void): void {
    const line = JSON.stringify(seal(known.key, 'daemon', known.sent + 1, wellFormedJson(message)));
    if (Buffer.byteLength(line) > limits.sealedLineBytes) {
      if (!('result' in message)) return;
      const sentence = 'The answer is too large for the control socket.';
      const error = controlError(errorCodes.tooLarge, 'too_large', sentence, []);
      sendSealed(known, { jsonrpc: '2.0', id: message.id, error });
      return;
    }
    known.sent += 1;
    writeLine(line, taken);
  }

  function write(message: ControlMessage): void {
    writeLine(JSON.stringify(message));
  }

  function writeLine(line: string, taken?: () => void): void {
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(`${line}\n`, error => {
      if (!error) taken?.();
    });
    const unread = session === null ? limits.unreadPlainBytes : limits.unreadBytes;
    if (socket.writableLength > unread) socket.destroy();
  }
}

function responseTo(id: ControlRequest['id'], outcome: CommandOutcome<unknown>): ControlResponse {
  return outcome.kind === 'done'
    ? { jsonrpc: '2.0', id, result: outcome.result, ...(outcome.unconfirmed && { unconfirmed: true }) }
    : { jsonrpc: '2.0', id, error: outcome.error };
}

/** True for a request that was refused until the shell's person confirms it. */
function wantsConfirmation(outcome: CommandOutcome<unknown>): boolean {
  return outcome.kind === 'refused' && isObject(outcome.error.data) && 'confirm' in outcome.error.data;
}

function isRequest(message: ControlMessage): message is ControlRequest {
  return 'method' in message && 'id' in message;
}

/** Null for a text that is no message; a shell of ours never sends such a text. */
function parse(text: string): ControlMessage | null {
  const message = parsedJson(text);
  if (!isObject(message) || message.jsonrpc !== '2.0') return null;
  if (message.method !== undefined && typeof message.method !== 'string') return null;
  if (message.id !== undefined && typeof message.id !== 'number' && typeof message.id !== 'string') return null;
  return message as unknown as ControlMessage;
}
