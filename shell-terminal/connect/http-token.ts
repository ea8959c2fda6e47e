/**
 * The token that `sallyport connect http --mint` makes: minted for one client, and taken back where
 * nobody got it.
 */

import { tokenWords } from '../../shared/client-configs.ts';
import { type GrantOptions, grantOf } from '../commands/tokens.ts';
import type { ControlClient } from '../control-client.ts';
import { failed } from '../ending.ts';
import type { Written } from './write-entry.ts';

export interface Token {
  readonly id: string | null;
  readonly text: string;
  readonly expiresAt: string | null;
}
export const noToken: Token = { id: null, text: tokenWords, expiresAt: null };

/** As the command line has them. */
export interface TokenOptions extends GrantOptions {
  readonly name?: string;
}

/** @throws Ending */
export async function mintToken(client: ControlClient, options: TokenOptions): Promise<Token> {
  const { id, token, expiresAt } = await client.ask('tokens.mint', {
    name: options.name ?? 'HTTP client',
    ...grantOf(options),
    confirmInClient: false,
  });
  return { id, text: token, expiresAt };
}

/** A token that could not be written down is known to nobody, so it must not stay valid. */
export async function orForgotten(client: ControlClient, { id }: Token, write: () => Written): Promise<Written> {
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
  return `The new token, which nobody has, is valid all the same, as it could not be deleted (${why.replace(/\.$/, '')}): run \`sallyport tokens delete ${id}\`.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
