/**
 * Reads a pairing deep link (spec §10). Each way in which it can be wrong has its own sentence;
 * nothing is guessed.
 */

import { decodedItem } from '../../../shared/url-parts.ts';
import { isBridgeTokenName, type Scope, scopes } from '../tokens/token.ts';
import { agreesOnState, type RedirectFault, readRedirect } from './redirect.ts';

export interface PairingRequest {
  /** The client's own name for itself: unverified, so show it escaped. */
  readonly client: string;
  /** Base64url of the verifier's SHA-256. */
  readonly challenge: string;
  /** As the client wrote it, with spaces percent-encoded. */
  readonly redirect: string;
  /** The app that handles the redirect; null for loopback. */
  readonly handler: string | null;
  /** Requested, not granted. */
  readonly scope: Scope;
  readonly state: string | null;
  /** Ids that are ticked at first; null if the link names none. */
  readonly connectionIds: readonly string[] | null;
}

type LinkFault =
  | 'too_long'
  | 'not_a_pairing_link'
  | 'bare_fragment'
  | 'malformed_encoding'
  | 'parameter_twice'
  | 'client_missing'
  | 'client_too_long'
  | 'client_is_bridge'
  | 'challenge_malformed'
  | 'scope_unknown'
  | 'state_too_long'
  | 'connection_ids_malformed'
  | 'two_states'
  | RedirectFault;

type LinkRead =
  | { readonly kind: 'read'; readonly request: PairingRequest }
  | { readonly kind: 'refused'; readonly fault: LinkFault };

/** Spec §10 prescribes the sentence about a non-local address word for word. */
export const linkFaultSentences: Readonly<Record<LinkFault, string>> = {
  too_long: 'The pairing link is longer than 8 KiB, so pairing was refused.',
  not_a_pairing_link: 'This is not a Sallyport pairing link.',
  bare_fragment: 'The pairing link has a # that is not percent-encoded, so pairing was refused.',
  malformed_encoding: 'The pairing link is not properly URL-encoded, so pairing was refused.',
  parameter_twice: 'The pairing link gives a parameter twice, so pairing was refused.',
  client_missing: "The pairing link doesn't name its client, so pairing was refused.",
  client_too_long: "The client's name is longer than 64 characters, so pairing was refused.",
  client_is_bridge: "The client calls itself by the name of Sallyport's own bridge, so pairing was refused.",
  challenge_malformed: 'The challenge is not 43 base64url characters, so pairing was refused.',
  scope_unknown: `The requested scope is not one of ${scopes.join(', ')}, so pairing was refused.`,
  state_too_long: 'The state is longer than 1,024 bytes, so pairing was refused.',
  connection_ids_malformed: 'The connection ids are not UUIDs separated by commas, so pairing was refused.',
  two_states: 'The pairing link and its redirect address give different states, so pairing was refused.',
  redirect_not_local: 'The redirect address is not a local callback, so pairing was refused.',
  redirect_port: 'The port of the redirect address is not between 1 and 65535, so pairing was refused.',
  redirect_fragment:
    'The redirect address has a fragment (#), which redirects may not have (RFC 6749), so pairing was refused.',
  redirect_characters:
    'The redirect address has a character that must be percent-encoded in an address, so pairing was refused.',
  redirect_encoding: 'The redirect address is not properly percent-encoded, so pairing was refused.',
  redirect_answered:
    'The redirect address already has a query item that the answer adds (code, error, error_description or context), so pairing was refused.',
};

const maxLinkBytes = 8_192;
const maxClientCharacters = 64;
const maxStateBytes = 1_024;
const prefix = 'sallyport://integrations/pair?';
const known = ['client', 'challenge', 'redirect', 'scopes', 'state', 'connection-ids'] as const;
type Parameters = Partial<Record<(typeof known)[number], string>>;

/** @param handlerOf tells the app registered for a scheme, from the shell; null for none. */
export function readPairingLink(link: string, handlerOf: (redirect: string) => string | null): LinkRead {
  if (Buffer.byteLength(link) > maxLinkBytes) return refused('too_long');
  // Half a surrogate pair can't be encoded: it would break the answer once the token is made.
  if (/\p{Cs}/u.test(link)) return refused('malformed_encoding');
  if (!link.toLowerCase().startsWith(prefix)) return refused('not_a_pairing_link');
  if (link.includes('#')) return refused('bare_fragment');
  const parameters = readParameters(link.slice(prefix.length));
  if (typeof parameters === 'string') return refused(parameters);

  const client = parameters.client?.trim() ?? '';
  if (client === '') return refused('client_missing');
  if ([...client].length > maxClientCharacters) return refused('client_too_long');
  // The token gets the client's name, and in lists and logs that name belongs to the bridge.
  if (isBridgeTokenName(client)) return refused('client_is_bridge');
  const challenge = parameters.challenge ?? '';
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return refused('challenge_malformed');
  const scope = scopes.find(candidate => candidate === parameters.scopes);
  if (scope === undefined) return refused('scope_unknown');
  const state = parameters.state ?? null;
  if (state !== null && Buffer.byteLength(state) > maxStateBytes) return refused('state_too_long');
  const connectionIds = readConnectionIds(parameters['connection-ids']);
  if (connectionIds === 'malformed') return refused('connection_ids_malformed');
  const handler = handlerOf(parameters.redirect ?? '');
  const read = readRedirect(parameters.redirect ?? '', handler);
  if (read.kind === 'refused') return read;
  const { redirect } = read;
  // Only the client knows which of two it checks; it would refuse the other after the approval.
  if (state !== null && !agreesOnState(redirect, state)) return refused('two_states');
  return { kind: 'read', request: { client, challenge, redirect, handler, scope, state, connectionIds } };
}

function readParameters(query: string): Parameters | 'malformed_encoding' | 'parameter_twice' {
  const parameters: Parameters = {};
  for (const item of query.split('&')) {
    const equals = item.indexOf('=');
    const rawName = equals === -1 ? item : item.slice(0, equals);
    const name = decodedItem(rawName);
    const value = decodedItem(equals === -1 ? '' : item.slice(equals + 1));
    if (name === null || value === null) return 'malformed_encoding';
    const parameter = known.find(candidate => candidate === name);
    if (parameter === undefined) continue;
    // Two parsers may pick different ones: what was shown must be what is granted.
    if (parameters[parameter] !== undefined) return 'parameter_twice';
    parameters[parameter] = value;
  }
  return parameters;
}

function readConnectionIds(text: string | undefined): readonly string[] | null | 'malformed' {
  if (text === undefined) return null;
  const ids = text.split(',').map(id => id.trim().toLowerCase());
  const areIds = ids.every(id => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
  return areIds ? [...new Set(ids)] : 'malformed';
}

function refused(fault: LinkFault): LinkRead {
  return { kind: 'refused', fault };
}
