/**
 * The token of `sallyport connect http --mint`: minted for one client, and revoked if nobody got
 * it.
 */

import { tokenWords } from '../../shared/client-configs.ts';
import { failed } from '../cli-error.ts';
import { type GrantOptions, grantOf } from '../commands/tokens.ts';
import type { ControlClient } from '../control-client.ts';
import type { WrittenEntry } from './write-entry.ts';

export interface Token {
  readonly id: string | null;
  readonly text: string;
  readonly expiresAt: string | null;
}
export const noToken: Token = { id: null, text: tokenWords, expiresAt: null };

/** As typed on the command line. */
export interface TokenOptions extends GrantOptions {
  readonly name?: string;
}

/** @throws CliError */
export async function mintToken(client: ControlClient, options: TokenOptions): Promise<Token> {
  const { id, token, expiresAt } = await client.ask('tokens.mint', {
    name: options.name ?? 'HTTP client',
    ...grantOf(options),
    confirmInClient: false,
  });
  return { id, text: token, expiresAt };
}

/** Revokes a token that couldn't be written down: nobody knows it, so it must not stay valid. */
export async function orForgotten(
  client: ControlClient,
  { id }: Token,
  write: () => WrittenEntry,
): Promise<WrittenEntry> {
  try {
    return write();
  } catch (error) {
    if (id === null) throw error;
    const left = await client.ask('tokens.delete', { id }).then(
      () => null,
      (problem: unknown) => problem,
    );
    if (left === null) throw error;
    throw failed(`${messageOf(error)} ${stillValid(id, messageOf(left))}`);
  }
}

function stillValid(id: string, why: string): string {
  return `Nobody has the new token, but it is still valid, because it could not be deleted (${why.replace(/\.$/, '')}): run \`sallyport tokens delete ${id}\`.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
