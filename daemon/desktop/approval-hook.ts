/**
 * Runs the person's own command for each question and request that begins to wait (setting
 * `approval.hook`, spec §12): it may tell them on a phone or in a chat. It gets no statement and no
 * value, and nothing that it prints or returns answers anything.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { commandEnvironment } from '../../shared/launch.ts';
import { timesOf } from '../access/desk/ask.ts';
import type { Approvals, Question } from '../access/questions/approvals.ts';
import type { AccessRequest, AccessRequests } from '../access/requests/access-requests.ts';

const hookLimits = {
  /** A command that hangs is ended. */
  patienceMilliseconds: 10_000,
  /** What comes while so many wait for their turn is not told; nor is a second one of one asker. */
  inLine: 20,
} as const;

interface HookPorts {
  readonly approvals: Pick<Approvals, 'onEvent' | 'pending'>;
  readonly requests: Pick<AccessRequests, 'onChanged' | 'find'>;
  /** Empty for none; asked each time. */
  readonly command: () => string;
  readonly log: { warn(facts: object, message: string): void };
  readonly limits?: { readonly [Name in keyof typeof hookLimits]?: number };
}

/** One JSON object on the command's standard input. */
interface Told {
  /** For `sallyport allow yes|no ID`. */
  readonly id: string;
  readonly asks: 'statement' | 'first_use' | 'host_key';
  /** True if a call waits for the answer; false if the client has to ask again. */
  readonly waits: boolean;
  /** The client's own name for itself; unverified. */
  readonly client: string;
  readonly connection: { readonly name: string; readonly colour: string | null; readonly tags: readonly string[] };
  readonly statement: { readonly class: string; readonly tables: readonly string[] } | null;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly look: 'sallyport allow';
}

/** @returns what ends it, with a command that runs. */
export function runApprovalHook(ports: HookPorts): () => void {
  const { approvals, requests, command, log } = ports;
  const limits = { ...hookLimits, ...ports.limits };
  /** By asker: a flood of one leaves the others their turn. */
  const line = new Map<string, Told>();
  let running: ChildProcess | null = null;
  let isOver = false;

  function next(): void {
    if (running !== null || isOver) return;
    const wanted = command();
    if (wanted === '') line.clear();
    const [asker, told] = line.entries().next().value ?? [null, null];
    if (told === null) return;
    line.delete(asker);
    // It may have been answered meanwhile.
    if (!waits(told)) {
      next();
      return;
    }
    let child: ChildProcess;
    try {
      child = started(wanted);
    } catch (error) {
      // Node throws some of what keeps a program from starting, as too little memory.
      log.warn({ request: told.id }, `the command of approval.hook could not be run: ${String(error)}`);
      next();
      return;
    }
    running = child;
    const patience = setTimeout(() => endGroup(child), limits.patienceMilliseconds).unref();
    const ended = (how: string | null): void => {
      clearTimeout(patience);
      if (running !== child) return;
      running = null;
      // What it left in the background.
      endGroup(child);
      if (how !== null && !isOver) log.warn({ request: told.id }, `the command of approval.hook ${how}`);
      next();
    };
    child.once('error', ({ message }) => ended(`could not be run: ${message}`));
    child.once('exit', (code, signal) => ended(code === 0 ? null : `ended with ${signal ?? code}`));
    // It need not read what it gets.
    child.stdin?.on('error', () => {}).end(`${JSON.stringify(told)}\n`);
  }

  function tell(asker: string, told: Told): void {
    if (command() === '' || line.has(asker) || line.size >= limits.inLine) return;
    line.set(asker, told);
    next();
  }

  function waits({ id }: Told): boolean {
    return requests.find(id) !== null || approvals.pending().some(question => question.id === id);
  }

  approvals.onEvent(({ what, ask }) => {
    if (what === 'asked') tell(ask.facts.principalId, toldOfQuestion(ask));
  });
  requests.onChanged(made => {
    if (made !== null) tell(made.facts.principal.id, toldOfRequest(made));
  });
  return () => {
    isOver = true;
    if (running !== null) endGroup(running);
  };
}

/** In its own process group: what it starts ends with it. @throws if it can't be started. */
function started(command: string): ChildProcess {
  return spawn('/bin/sh', ['-c', command], {
    env: commandEnvironment(),
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

function toldOfQuestion({ id, facts: { kind, client, connection, statement }, ...times }: Question): Told {
  return {
    id,
    asks: kind,
    waits: true,
    client,
    connection: placeOf(connection),
    statement: statement && { class: statement.class, tables: statement.tables },
    expiresAt: timesOf(times).expiresAt,
    look,
  };
}

function toldOfRequest({ id, facts: { client, connection, lacks, classified }, ...times }: AccessRequest): Told {
  return {
    id,
    asks: lacks === 'host_key' || lacks === 'first_use' ? lacks : 'statement',
    waits: false,
    client,
    connection: placeOf(connection),
    statement: classified && { class: classified.class, tables: classified.tables },
    expiresAt: timesOf(times).expiresAt,
    look,
  };
}

const look = 'sallyport allow';

function placeOf({ name, colour, tags }: Told['connection']): Told['connection'] {
  return { name, colour, tags };
}
