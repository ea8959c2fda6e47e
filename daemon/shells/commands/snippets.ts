/**
 * `snippets.list` (spec §11, §16): what a person pastes into an AI client, with this install's
 * bridge and port.
 */

import * as z from 'zod';
import { type ClientConfig, httpConfigs, stdioConfigs } from '../../../shared/client-configs.ts';
import { command, done, invalidField, looks } from '../command.ts';
import { type SnippetView, snippetsView } from '../messages/snippets.ts';

/** A path that is as good as any: only the clients' names are used of the result. */
const anyBridge = '/sallyport-mcp';
/** No token: each is shown once, to the person who minted it. */
const tokenPlaceholder = '<ACCESS_TOKEN>';
const kinds = [...stdioConfigs(anyBridge).map(({ client }) => client), 'http'];

/**
 * Configurations that let AI clients reach this Sallyport; of one kind of client, or of all. They
 * hold no token.
 */
export const snippetsList = command('snippets.list', {
  shape: z.strictObject({ client: z.string('the name of a client is expected').max(64).optional() }),
  result: snippetsView,
  ...looks,
  run: ({ client }, { ports }) => {
    if (client !== undefined && !kinds.includes(client))
      return invalidField({ field: 'client', why: `one of ${kinds.join(', ')} is expected` });
    const isWanted = (kind: string): boolean => client === undefined || client === kind;
    const { bridgePath, namedHome } = ports.install;
    const { port } = ports.status();
    const stdio = bridgePath === null ? [] : stdioConfigs(bridgePath, namedHome);
    const http = port === null ? [] : httpConfigs(port, tokenPlaceholder);
    const wantsBridge = client !== 'http';
    return done({
      snippets: [...stdio, ...http].filter(config => isWanted(config.client)).map(snippetView),
      notes: [
        ...(wantsBridge && bridgePath === null ? [noBridge] : []),
        ...(isWanted('http') && port === null ? [noPort] : []),
      ],
    });
  },
});

function snippetView({ client, title, where, format, text }: ClientConfig): SnippetView {
  return { client, title, where, format, text };
}

const noBridge = 'sallyport-mcp is missing from this install; build or install it again.';
const noPort = 'The server is not running, so there is no address yet for clients that speak HTTP.';
