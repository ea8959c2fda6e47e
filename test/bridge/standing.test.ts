/**
 * How an answer to `identify` is judged, member by member (spec §2): the rule alone. trust.test.ts
 * has it with sockets and files.
 */

import { describe, expect, test } from '@jest/globals';
import { standingOf } from '../../bridge/daemon/trust.ts';
import { modernProtocolVersion } from '../../shared/codes.ts';
import { controlProtocolVersion } from '../../shared/control.ts';
import { silence } from '../../shared/control-link.ts';
import type { Handshake } from '../../shared/handshake.ts';
import { identifyProof } from '../../shared/proofs.ts';

const nonce = 'n'.repeat(43);
const handshake: Handshake = {
  version: 1,
  port: 27432,
  token: `sp_${'t'.repeat(43)}`,
  pid: 1,
  instance: '00000000-0000-4000-8000-000000000000',
  expiresAt: '2030-01-01T00:00:00Z',
  protocolVersions: [modernProtocolVersion],
};
const { instance, port, token } = handshake;
const honest = {
  server: 'on',
  protocol: controlProtocolVersion,
  version: '0.1.0',
  instance,
  port,
  proof: identifyProof(token, nonce, instance, port),
};
const judged = (answer: unknown, file = handshake) => standingOf(answer, nonce, { kind: 'read', handshake: file }).kind;

test('an honest answer is proven', () => {
  expect(judged(honest)).toBe('proven');
});

describe('nothing less is proven', () => {
  test.each<[string, unknown]>([
    ['an answer that is none', undefined],
    ['a text', 'yes'],
    ['no proof', { ...honest, proof: undefined }],
    ['a proof cut short', { ...honest, proof: honest.proof.slice(1) }],
    ['a proof for another nonce', { ...honest, proof: identifyProof(token, 'm'.repeat(43), instance, port) }],
    ['a proof under another token', { ...honest, proof: identifyProof(`${token}x`, nonce, instance, port) }],
    ['another port', { ...honest, port: port + 1, proof: identifyProof(token, nonce, instance, port + 1) }],
    ['another run', { ...honest, instance: `1${instance.slice(1)}` }],
  ])('%s', (_, answer) => {
    expect(judged(answer)).toBe('untrusted');
  });

  test('a proof without a file, or beside one that others can read', () => {
    expect(standingOf(honest, nonce, { kind: 'absent' })).toEqual({ kind: 'starting' });
    const untrusted = { kind: 'untrusted', problem: 'It is open.' } as const;
    expect(standingOf(honest, nonce, untrusted)).toEqual(untrusted);
  });

  test('no answer in time, or an end instead, is silence', () => {
    expect(judged(silence)).toBe('silent');
    expect(judged(null)).toBe('silent');
  });

  test('another protocol, older or newer', () => {
    expect(judged({ ...honest, protocol: '2.0' })).toBe('incompatible');
    expect(judged({ ...honest, protocol: undefined })).toBe('incompatible');
  });

  test('a build without our revision, and one that is switched off', () => {
    expect(judged(honest, { ...handshake, protocolVersions: ['2025-11-25'] })).toBe('outdated');
    expect(judged({ ...honest, server: 'off' })).toBe('off');
  });
});
