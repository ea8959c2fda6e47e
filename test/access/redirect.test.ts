import { describe, expect, test } from '@jest/globals';
import { answerAddress, isLocalCallback } from '../../daemon/access/redirect.ts';

describe('a callback is local', () => {
  test.each([
    'http://127.0.0.1:8123/callback',
    'http://127.0.0.1',
    'https://localhost:1/',
    'http://localhost/cb?keep=1&also=%20x',
    'http://[::1]:65535/x',
    'HTTP://LOCALHOST:80/x',
    'http://127.0.0.1?keep=1',
  ])('%s', redirect => {
    expect(isLocalCallback(redirect, null)).toBe(true);
  });

  test.each(['raycast://extensions/x/y', 'com.example.app:/callback', 'vscode://publisher.extension/pair?keep=1'])(
    '%s, where an app handles it',
    redirect => {
      expect(isLocalCallback(redirect, 'An App')).toBe(true);
      expect(isLocalCallback(redirect, null)).toBe(false);
    },
  );
});

describe('a callback is refused', () => {
  test.each([
    ['another host', 'http://example.com/cb'],
    ['a host that starts like one', 'http://127.0.0.1.example.com/cb'],
    ['a host that ends like one', 'http://evil-localhost/cb'],
    ['a subdomain', 'http://localhost.example.com/'],
    ['a trailing dot', 'http://localhost./cb'],
    ['the short form', 'http://127.1/cb'],
    ['the decimal form', 'http://2130706433/cb'],
    ['the hexadecimal form', 'http://0x7f000001/cb'],
    ['another loopback address', 'http://127.0.0.2/cb'],
    ['all interfaces', 'http://0.0.0.0/cb'],
    ['a longer IPv6 form', 'http://[0:0:0:0:0:0:0:1]/cb'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/cb'],
    ['credentials', 'http://user:pass@127.0.0.1/cb'],
    ['a user', 'http://user@localhost/cb'],
    ['a host behind credentials', 'http://127.0.0.1:80@example.com/'],
    ['a fragment', 'http://127.0.0.1/cb#x'],
    ['an empty fragment', 'http://127.0.0.1/cb#'],
    ['a backslash', 'http://127.0.0.1\\@example.com/'],
    ['a tab in the scheme', 'ht\ttp://127.0.0.1/'],
    ['a line feed', 'http://127.0.0.1/\nx'],
    ['a leading blank', ' http://127.0.0.1/'],
    ['one slash', 'http:/127.0.0.1/cb'],
    ['three slashes', 'http:///127.0.0.1/cb'],
    ['no port after the colon', 'http://127.0.0.1:/cb'],
    ['port 0', 'http://127.0.0.1:0/cb'],
    ['port 65536', 'http://127.0.0.1:65536/cb'],
    ['a code already there', 'http://127.0.0.1/cb?code=x'],
    ['an escaped code', 'http://127.0.0.1/cb?a=1&c%6fde=x'],
    ['an error', 'http://127.0.0.1/cb?ERROR=x'],
    ['a state', 'http://127.0.0.1/cb?state'],
    ['a context', 'raycast://extensions/x?context=%7B%7D'],
    ['a broken escape', 'http://127.0.0.1/cb?%zz=1'],
    ['our own scheme', 'sallyport://integrations/pair?x'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a database', 'postgres://localhost/x'],
    ['a file share', 'smb://example.com/share'],
    ['a shell', 'ssh://example.com'],
    ['a nested address', 'view-source:http://example.com'],
    ['an app scheme with a user', 'myapp://user@host/cb'],
    ['no scheme', 'localhost:8123'],
    ['nothing', ''],
    ['a scheme alone', 'myapp:'],
    ['a bidirectional mark', 'http://127.0.0.1/\u202e'],
  ])('%s: %j', (_, redirect) => {
    expect(isLocalCallback(redirect, redirect === 'localhost:8123' ? null : 'An App')).toBe(false);
  });
});

describe('the answer', () => {
  const code = '6f7f6a1e-0000-4000-8000-000000000001';
  test.each([
    ['http://127.0.0.1:1/cb', null, `http://127.0.0.1:1/cb?code=${code}`],
    ['http://127.0.0.1:1/cb?keep=%20a', 's t', `http://127.0.0.1:1/cb?keep=%20a&code=${code}&state=s%20t`],
    ['myapp:/cb?', null, `myapp:/cb?code=${code}`],
    [
      'raycast://extensions/a/b?launch=1',
      null,
      `raycast://extensions/a/b?launch=1&context=${encodeURIComponent(`{"code":"${code}"}`)}`,
    ],
    ['Raycast://x', 'z', `Raycast://x?context=${encodeURIComponent(`{"code":"${code}","state":"z"}`)}`],
  ])('approved, %s', (redirect, state, address) => {
    expect(answerAddress(redirect, { kind: 'approved', code }, state)).toBe(address);
  });

  test.each([
    ['http://localhost/cb', null, 'http://localhost/cb?error=denied&error_description=user_denied'],
    [
      'raycast://x',
      null,
      `raycast://x?context=${encodeURIComponent('{"error":"denied","error_description":"user_denied"}')}`,
    ],
  ])('denied, %s', (redirect, state, address) => {
    expect(answerAddress(redirect, { kind: 'denied' }, state)).toBe(address);
  });
});
