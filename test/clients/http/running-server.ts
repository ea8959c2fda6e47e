/**
 * Starts the real HTTP server over a real token register (kept in memory) and a few simple real
 * tools, and stops it.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Admission } from '../../../daemon/access/limits/admission.ts';
import type { Scope } from '../../../daemon/access/tokens/token.ts';
import { loadTokenRegister, type TokenRegister } from '../../../daemon/access/tokens/token-register.ts';
import type { ExchangePorts } from '../../../daemon/clients/http/exchange.ts';
import type { ConnectionLimits } from '../../../daemon/clients/http/http-limits.ts';
import {
  type HttpServerPorts,
  type RunningHttpServer,
  startHttpServer,
} from '../../../daemon/clients/http/listener.ts';
import type { Log } from '../../../daemon/clients/mcp/log.ts';
import { readOnlySentences } from '../../../daemon/clients/mcp/refusal-words.ts';
import { refused, success, type Tool } from '../../../daemon/clients/mcp/tool.ts';
import { toolError } from '../../../daemon/refusal.ts';
import { noChanges, noPairings, nothingInUse, unlimitedAdmission } from './admission-for-tests.ts';

export interface RunningServer {
  readonly http: RunningHttpServer;
  readonly url: string;
  readonly tokens: TokenRegister;
  /** Moves the wall clock that decides lifetimes. */
  advanceSeconds(seconds: number): void;
  token(scope?: Scope): Promise<string>;
  /** The id of a valid token. */
  idOf(token: string): string;
  readonly bridgeToken: string;
  /** The steps of the slow tool, in order: `began 1`, `aborted 1`, `ended 1`. */
  readonly slowTool: string[];
  /** All logged lines, as JSON. */
  readonly logged: string[];
  stop(): Promise<void>;
}

export async function runServer(
  limits: Partial<ConnectionLimits> = {},
  admission: Admission = unlimitedAdmission(),
  exchangeOf: (tokens: TokenRegister) => ExchangePorts = noPairings,
  descriptors: HttpServerPorts['descriptors'] = () => 'enough',
  moreTools: readonly Tool[] = [],
  notifier: HttpServerPorts['notifier'] = noChanges,
): Promise<RunningServer> {
  let ahead = 0;
  const tokens = await loadTokenRegister({
    store: { load: async () => [], save: async () => {}, end: async () => {}, delete: async () => {} },
    now: () => Date.now() + ahead,
    randomBytes,
    newId: randomUUID,
  });
  const logged: string[] = [];
  const slowTool: string[] = [];
  const keep = (facts: unknown, message: string): void => void logged.push(JSON.stringify({ facts, message }));
  const log: Log = { info: keep, warn: keep, error: keep };
  const http = await startHttpServer({
    port: 0,
    fallback: false,
    tokens,
    admission,
    ...exchangeOf(tokens),
    tools: [...simpleTools(slowTool), ...moreTools],
    accessInUse: nothingInUse,
    notifier,
    version: '0.0.0-test',
    log,
    newId: randomUUID,
    descriptors,
    limits,
  });
  return {
    http,
    url: `http://127.0.0.1:${http.port}/mcp`,
    tokens,
    advanceSeconds: seconds => {
      ahead += seconds * 1000;
    },
    token: async (scope = 'readOnly') => {
      const minted = await tokens.mint({
        name: 'test',
        scope,
        connections: 'all',
        expires: 1,
        confirmInClient: false,
        client: null,
      });
      return minted.plaintext;
    },
    idOf: token => {
      const verified = tokens.verify(token);
      if (verified.kind !== 'valid') throw new Error(`The token is ${verified.kind}`);
      return verified.record.id;
    },
    bridgeToken: tokens.mintBridgeToken(3_600).plaintext,
    slowTool,
    logged,
    stop: () => http.close(0),
  };
}

const harmless = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const echoed = z.object({ text: z.string(), big: z.string(), client: z.string(), principal: z.string() });

export function simpleTools(slowTool: string[]): readonly Tool[] {
  return [
    {
      name: 'echo',
      title: 'Echo',
      description: 'Says what it was told, with a 64-bit integer.',
      scope: 'readOnly',
      annotations: harmless,
      input: z.strictObject({
        text: z.string().max(100),
        times: z.number().int().min(1).max(3).optional().describe('How often'),
        kind: z.enum(['plain', 'loud']).optional(),
        values: z
          .array(z.union([z.string(), z.number(), z.null()]))
          .max(2)
          .optional(),
      }),
      output: echoed,
      async run(call, args) {
        const { text, times = 1 } = args as { text: string; times?: number };
        const { client, principal } = call;
        return success(
          { text: text.repeat(times), big: '9007199254740993', client, principal: principal.id },
          { 'app.sallyport/access': 'read_only' },
        );
      },
    },
    {
      name: 'slow',
      title: 'Slow',
      description: 'Waits until it is aborted, or a time has passed.',
      scope: 'readOnly',
      annotations: harmless,
      input: z.strictObject({ name: z.string(), milliseconds: z.number().optional() }),
      output: z.object({ waited: z.boolean() }),
      async run(call, args) {
        const { name, milliseconds = 30_000 } = args as { name: string; milliseconds?: number };
        slowTool.push(`began ${name}`);
        call.progress?.(1, 2, 'half way');
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, milliseconds);
          call.signal.addEventListener('abort', () => {
            clearTimeout(timer);
            slowTool.push(`aborted ${name}`);
            resolve();
          });
        });
        slowTool.push(`ended ${name}`);
        return call.signal.aborted ? refused({ kind: 'cancelled' }) : success({ waited: true });
      },
    },
    {
      name: 'failing',
      title: 'Failing',
      description: 'Throws, as a broken program does.',
      scope: 'readOnly',
      annotations: harmless,
      input: z.strictObject({}),
      output: z.object({}),
      run: () => Promise.reject(new Error('select secret from vault')),
    },
    {
      name: 'refusing',
      title: 'Refusing',
      description: 'Refuses in the way it is told to.',
      scope: 'readOnly',
      annotations: harmless,
      input: z.strictObject({ how: z.enum(['denied', 'connection', 'no connection', 'cursor']) }),
      output: z.object({}),
      async run(_call, args) {
        const { how } = args as { how: string };
        if (how === 'denied') return refused(toolError('denied', readOnlySentences.connection.says));
        if (how === 'cursor') return refused({ kind: 'malformed_cursor' });
        const usable = how === 'connection' ? ['shop', 'ledger'] : [];
        return refused({ kind: 'connection_unavailable', asked: 'shp', usable });
      },
    },
    {
      name: 'stop_everything',
      title: 'Stop everything',
      description: 'Needs full access.',
      scope: 'fullAccess',
      annotations: { ...harmless, readOnlyHint: false, destructiveHint: true },
      input: z.strictObject({}),
      output: z.object({}),
      run: async () => success({}),
    },
  ];
}
