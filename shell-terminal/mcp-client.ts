/**
 * Calls tools as an AI client does, through this install's bridge: under the same rules, and
 * recorded under the name `terminal`. A person may do more, but an agent could type here too, so an
 * agent with a terminal gets no further than through its own client.
 */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { modernProtocolVersion } from '../shared/codes.ts';
import { bridgeBeside } from '../shared/install.ts';
import { isObject, parsedJson } from '../shared/json.ts';
import { version } from '../shared/version.ts';
import { CliError, exitCodes, failed } from './cli-error.ts';
import { type RefusedCall, refusedSentence } from './refused-call.ts';
import { remark, type Terminal } from './terminal.ts';
import { shownClock } from './words.ts';

export interface ToolAnswer {
  /** The structured content of the tool's answer. */
  readonly content: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

/** @throws CliError with a sentence for a person if the call was refused. */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;

/**
 * A client is told once that its user ran the same a moment ago. A person at a terminal who asks
 * again wants it again.
 */
export async function onceMore(
  terminal: Terminal,
  call: CallTool,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const answer = await call(name, args);
  const ranAt = answer.meta['app.sallyport/ran_by_owner'];
  if (typeof ranAt !== 'string') return answer;
  const { note } = answer.content;
  // Of a plan that failed, its first steps may stay.
  const isFailed = answer.meta['app.sallyport/run_failed'] === true && typeof note === 'string';
  remark(terminal, isFailed ? note.replace(/^The user\b/, 'You') : `You ran the same at ${shownClock(ranAt)}.`);
  return call(name, args);
}

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/**
 * @param connection as typed, for the sentences of refusals.
 * @param told called with the sentence of each progress notification.
 */
export async function withTools<Result>(
  terminal: Terminal,
  connection: string,
  told: (sentence: string) => void,
  use: (call: CallTool) => Promise<Result>,
): Promise<Result> {
  const bridge = bridgeBeside(terminal.script);
  if (bridge === null) throw failed('sallyport-mcp is missing from this install; install Sallyport again.');
  const child = spawn(bridge, [], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...terminal.environment } });
  const waiting = new Map<unknown, Waiting>();
  const ended = (): void => {
    for (const { reject } of waiting.values())
      reject(failed('The bridge ended; `sallyport doctor` looks for the cause.'));
  };
  child.on('error', ended).on('exit', ended);
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', line => {
    const message = parsedJson(line);
    if (!isObject(message)) return;
    if (message.method === 'notifications/progress' && isObject(message.params)) {
      if (typeof message.params.message === 'string') told(message.params.message);
      return;
    }
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (isObject(message.error)) {
      const { code, data } = message.error;
      caller?.reject(
        new CallRefused({ kind: 'error', code, message: String(message.error.message), data }, connection),
      );
    } else if (isObject(message.result)) caller?.resolve(message.result);
  });
  try {
    return await use(callOver(child.stdin, waiting, connection));
  } finally {
    // The end of its input ends the bridge, and all that still runs through it.
    child.stdin.end();
  }
}

function callOver(input: NodeJS.WritableStream, waiting: Map<unknown, Waiting>, connection: string): CallTool {
  let calls = 0;
  return async (name, args) => {
    const id = ++calls;
    const answered = new Promise<Record<string, unknown>>((resolve, reject) => waiting.set(id, { resolve, reject }));
    const _meta = { ...envelope, progressToken: id };
    input.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta } })}\n`,
    );
    const { isError, content, structuredContent, _meta: meta } = await answered;
    if (isError === true) throw new CallRefused({ kind: 'tool_error', text: textOf(content), meta }, connection);
    return { content: isObject(structuredContent) ? structuredContent : {}, meta: isObject(meta) ? meta : {} };
  };
}

/** Its code is the kind of the refusal, if the daemon tells it. */
export class CallRefused extends CliError {
  constructor(refused: RefusedCall, connection: string) {
    const kind = kindOf(refused);
    const code = typeof kind === 'string' ? kind : 'call_refused';
    super(exitCodes.failed, refusedSentence(refused, connection), { code });
  }
}

/** The kind of a tool's refusal, or the reason of an error (spec §9). */
function kindOf(refused: RefusedCall): unknown {
  if (refused.kind === 'error') return isObject(refused.data) ? refused.data.reason : null;
  const facts = isObject(refused.meta) ? refused.meta['app.sallyport/refusal'] : null;
  return isObject(facts) ? facts.kind : null;
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernProtocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'terminal', version },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function textOf(content: unknown): string {
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  return isObject(first) && typeof first.text === 'string'
    ? inOneLine(first.text)
    : 'The call was refused without a reason.';
}

/**
 * An engine's message, hint and position are separate lines for a model; here they are sentences of
 * one error.
 */
const inOneLine = (text: string): string =>
  text.trimEnd().replace(/[.!?:]?\n+/g, end => (end.startsWith('\n') ? '. ' : `${end[0]} `));
