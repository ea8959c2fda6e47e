import { describe, expect, test } from '@jest/globals';
import { linkFaultSentences, readPairingLink } from '../../../daemon/access/pairing/pairing-link.ts';

const challenge = 'a'.repeat(43);
const good = { client: 'My Extension', challenge, redirect: 'http://127.0.0.1:8123/cb', scopes: 'readWrite' };

function link(changes: Record<string, string | null> = {}): string {
  const items = Object.entries({ ...good, ...changes }).filter((item): item is [string, string] => item[1] !== null);
  return `sallyport://integrations/pair?${new URLSearchParams(items)}`;
}
const read = (text: string) => readPairingLink(text, redirect => (redirect.startsWith('myapp:') ? 'My App' : null));

test('a good link is read, and missing parts are absent', () => {
  expect(read(link())).toEqual({
    kind: 'read',
    request: {
      client: 'My Extension',
      challenge,
      redirect: good.redirect,
      handler: null,
      scope: 'readWrite',
      state: null,
      connectionIds: null,
    },
  });
});

test.each([
  [{ redirect: 'http://127.0.0.1:1/a b?state=own&c=d e' }, 'http://127.0.0.1:1/a%20b?state=own&c=d%20e', null],
  [{ redirect: 'http://127.0.0.1:1/?state=s', state: 's' }, 'http://127.0.0.1:1/?state=s', 's'],
])('%j keeps all of its redirect', (changes, redirect, state) => {
  expect(read(link(changes))).toMatchObject({ request: { redirect, state } });
});

test('all allowed parts are read, and others are ignored', () => {
  const ids = ['6F7F6A1E-0000-4000-8000-000000000001', '6f7f6a1e-0000-4000-8000-000000000002'];
  expect(
    read(link({ redirect: 'myapp:/cb', state: 'ünï code', 'connection-ids': ids.join(','), other: 'x' })),
  ).toMatchObject({
    request: { handler: 'My App', state: 'ünï code', connectionIds: ids.map(id => id.toLowerCase()) },
  });
});

describe('each way a link can be wrong', () => {
  const twice = `${link()}&scopes=readOnly`;
  test.each([
    ['too_long', link({ client: 'x', other: 'y'.repeat(8_192) })],
    ['not_a_pairing_link', link().replace('integrations/pair', 'integrations/start-mcp')],
    ['not_a_pairing_link', link().replace('sallyport:', 'http:')],
    ['bare_fragment', `${link()}#fragment`],
    ['not_a_pairing_link', 'sallyport://user@integrations/pair?client=x'],
    ['not_a_pairing_link', ''],
    ['malformed_encoding', `${link()}&x=%zz`],
    ['malformed_encoding', `${link()}&client=%ff%fe`],
    ['malformed_encoding', `${link()}&state=\ud800`],
    ['parameter_twice', twice],
    ['parameter_twice', `${link()}&%73copes=readOnly`],
    ['client_missing', link({ client: null })],
    ['client_missing', link({ client: '  ' })],
    ['client_too_long', link({ client: '🐚'.repeat(65) })],
    ['challenge_malformed', link({ challenge: null })],
    ['challenge_malformed', link({ challenge: 'a'.repeat(42) })],
    ['challenge_malformed', link({ challenge: 'a'.repeat(44) })],
    ['challenge_malformed', link({ challenge: `${'a'.repeat(42)}+` })],
    ['challenge_malformed', link().replace(challenge, `${'a'.repeat(42)}+`)],
    ['challenge_malformed', link({ challenge: `${'a'.repeat(42)}=` })],
    ['scope_unknown', link({ scopes: null })],
    ['scope_unknown', link({ scopes: 'admin' })],
    ['scope_unknown', link({ scopes: 'readOnly fullAccess' })],
    ['state_too_long', link({ state: 'é'.repeat(513) })],
    ['connection_ids_malformed', link({ 'connection-ids': 'Shop' })],
    ['connection_ids_malformed', link({ 'connection-ids': '' })],
    ['redirect_not_local', link({ redirect: null })],
    ['redirect_not_local', link({ redirect: 'http://example.com/cb' })],
    ['redirect_not_local', link({ redirect: 'otherapp:/cb' })],
    ['redirect_fragment', link({ redirect: 'http://127.0.0.1:1/cb#x' })],
    ['two_states', link({ redirect: 'http://127.0.0.1:1/cb?state=own', state: 'another' })],
  ] as const)('%s', (fault, text) => {
    expect(read(text)).toEqual({ kind: 'refused', fault });
  });

  test('64 characters are a name, whatever their bytes', () => {
    expect(read(link({ client: '🐚'.repeat(64) })).kind).toBe('read');
  });

  /** Spec §10 prescribes the one about an address that is not local. */
  test('each fault has its words', () => {
    expect(linkFaultSentences).toEqual({
      too_long: 'The pairing link is longer than 8 KiB, so pairing was refused.',
      not_a_pairing_link: 'This is not a Sallyport pairing link.',
      bare_fragment: 'The pairing link has a # that is not percent-encoded, so pairing was refused.',
      malformed_encoding: 'The pairing link is not properly URL-encoded, so pairing was refused.',
      parameter_twice: 'The pairing link gives a parameter twice, so pairing was refused.',
      client_missing: "The pairing link doesn't name its client, so pairing was refused.",
      client_too_long: "The client's name is longer than 64 characters, so pairing was refused.",
      client_is_bridge: "The client calls itself by the name of Sallyport's own bridge, so pairing was refused.",
      challenge_malformed: 'The challenge is not 43 base64url characters, so pairing was refused.',
      scope_unknown: 'The requested scope is not one of readOnly, readWrite, fullAccess, so pairing was refused.',
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
    });
  });
});
