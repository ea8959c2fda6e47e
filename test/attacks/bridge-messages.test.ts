/**
 * Another process can put text into a sentence that the bridge shows: a version, a protocol, a
 * daemon's last words, a refusal. Such text can't reorder or hide a part of the line, nor move a
 * cursor. That holds on stderr and in errors that the bridge words itself.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { modern } from '../bridge/bridge-process.ts';
import { Scratch } from '../bridge/scratch.ts';
import { sendJson, type TestPeer } from '../bridge/test-peer.ts';

/** Overrides the direction, isolates, is invisible, ends a line, clears the screen. */
const hostile = '\u202eevil\u2066\u200b\u2028\u2029\ufeff\u001b[2J\u009b';
const shown = '\\u{202e}evil\\u{2066}\\u{200b}\\u{2028}\\u{2029}\\u{feff}\\u{1b}[2J\\u{9b}';
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.clean());

async function told(spoil: (peer: TestPeer) => void) {
  const peer = await scratch.peer();
  spoil(peer);
  const bridge = scratch.bridge();
  const { error } = await bridge.ask(modern(1, 'tools/list'));
  return { message: error?.message ?? '', stderr: bridge.stderr };
}

function expectShown(text: string): void {
  expect(text).toContain(shown);
  expect(text.trimEnd()).not.toMatch(unshowable);
}

test('the version of a different daemon', async () => {
  const { message, stderr } = await told(peer => {
    peer.identifying = honest => ({ ...honest, protocol: '2.0', version: hostile });
  });
  for (const text of [message, stderr]) expectShown(text);
  expect(stderr).toBe(`${message}\n`);
});

test('the protocols of a handshake', async () => {
  const { message, stderr } = await told(peer => peer.writeHandshake({ protocolVersions: [hostile] }));
  for (const text of [message, stderr]) expectShown(text);
});

test('the last words of a daemon that could not start', async () => {
  const daemon = `#!/bin/sh\nprintf '%s\\n' 'sallyportd could not start: ${hostile}.' >&2\nexit 1\n`;
  const bridge = scratch.bridge(daemon);
  const { error } = await bridge.ask(modern(1, 'tools/list'), 30_000);
  for (const text of [error?.message ?? '', bridge.stderr]) expectShown(text);
}, 40_000);

test('a refusal, which the client gets unchanged', async () => {
  const refusal = `No connection named ${hostile}.\n`;
  const { message, stderr } = await told(peer => {
    peer.answering = (_, response) =>
      sendJson(response, 200, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -33_007, message: refusal } }));
  });
  expect(message).toBe(refusal);
  expectShown(stderr);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a sentence without an end is cut', async () => {
  const { message, stderr } = await told(peer => {
    peer.identifying = honest => ({ ...honest, protocol: '2.0', version: 'x'.repeat(30_000) });
  });
  for (const text of [message, stderr])
    expect([text.length < 4_200, text.trimEnd().endsWith('…')]).toEqual([true, true]);
});
