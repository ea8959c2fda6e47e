/** A client that starts a server over stdio, and what a model reads of its answers. */

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer';
import type { Entry } from './place.ts';

/** The encoding that gpt-tokenizer takes unless it is told: GPT-4o's. */
export const tokenizer = 'o200k_base';

export interface Answered {
  readonly text: string;
  readonly isError: boolean;
  /** Tokens of the text or of the structure, whichever is longer. */
  readonly tokens: number;
}

export interface Session {
  /** Of `tools/list` and the instructions: what each conversation pays before its first question. */
  readonly fixedTokens: number;
  readonly toolCount: number;
  readonly processId: number;
  /** What it wrote to standard error, from its start on. */
  said(): string;
  /**
   * An answer that never comes is an error after two minutes.
   * @param cancelled tells the server so.
   */
  ask(tool: string, args: Readonly<Record<string, unknown>>, cancelled?: AbortSignal): Promise<Answered>;
  /** As the SDK does: closes its input, then SIGTERM, then SIGKILL, two seconds apart. */
  close(): Promise<void>;
}

export async function openSession({ command, args, env }: Entry): Promise<Session> {
  const { PATH = '', HOME = '/' } = process.env;
  const started = { command, args: [...args], env: { PATH, HOME, ...env }, stderr: 'pipe' as const };
  const transport = new StdioClientTransport(started);
  let said = '';
  transport.stderr?.on('data', chunk => {
    said += chunk;
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    fixedTokens: tokensOf(JSON.stringify({ tools })) + tokensOf(client.getInstructions() ?? ''),
    toolCount: tools.length,
    processId: transport.pid ?? 0,
    said: () => said,
    ask: (tool, given, signal) => answered(client, tool, given, signal),
    close: () => client.close(),
  };
}

export function tokensOf(text: string): number {
  return encode(text).length;
}

async function answered(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Answered> {
  try {
    const result = await client.callTool({ name, arguments: args }, { timeout: 120_000, ...(signal && { signal }) });
    const text = (result.content ?? []).map(part => ('text' in part ? part.text : '')).join('\n');
    const { structuredContent } = result;
    const tokens = Math.max(
      tokensOf(text),
      structuredContent === undefined ? 0 : tokensOf(JSON.stringify(structuredContent)),
    );
    return { text, isError: result.isError ?? false, tokens };
  } catch (error) {
    const { message } = error as Error;
    return { text: message, isError: true, tokens: tokensOf(message) };
  }
}
