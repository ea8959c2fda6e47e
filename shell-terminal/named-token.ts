/** Finds a token by its id, the beginning of its id, or its name. */

import type { TokenView } from '../shared/control-commands.ts';
import { failed } from './cli-error.ts';
import type { ControlClient } from './control-client.ts';

/**
 * Length of the ids in lists. Beginnings of at least this length are accepted wherever an id is, if
 * unique.
 */
export const shortId = 8;

export const byNameToo = 'ID is the id, its first 8 letters or more, or a name that one token has.';

/** @throws CliError */
export async function tokenOf(client: ControlClient, typed: string): Promise<TokenView> {
  const { tokens } = await client.ask('tokens.list', {});
  const wanted = typed.toLowerCase();
  const byId = tokens.filter(({ id }) => id === wanted || (wanted.length >= shortId && id.startsWith(wanted)));
  const named = tokens.filter(({ name }) => name === typed);
  // A name may be reused once its token has ended.
  const living = named.filter(({ state }) => state !== 'revoked' && state !== 'expired');
  const byName = named.length > 1 && living.length === 1 ? living : named;
  const found = byId.length > 0 ? byId : byName;
  const [token] = found;
  // What was typed may be a token itself, so it isn't repeated.
  if (token === undefined)
    throw failed('There is no token with that id or name; `sallyport tokens list` shows all.', 'unknown_token', {
      token: null,
    });
  if (found.length > 1)
    throw failed(
      `Several tokens are called ${JSON.stringify(typed)}; use the id (\`sallyport tokens list\`).`,
      'several_tokens',
    );
  return token;
}
