import { describe, expect, test } from '@jest/globals';
import {
  agreesOnState,
  answerAddress,
  hearsOfNo,
  type RedirectFault,
  readRedirect,
} from '../../../daemon/access/pairing/redirect.ts';

describe('a local callback', () => {
  test.each([
    'http://127.0.0.1:8123/callback',
    'http://127.0.0.1',
    'https://localhost:1/',
    'http://localhost/cb?keep=1&also=%20x',
    'http://[::1]:65535/x',
    'HTTP://LOCALHOST:80/x',
    'http://127.0.0.1?keep=1',
    'http://127.0.0.1:8123/cb?state=own&state=another',
    "http://127.0.0.1:8123/%C3%A9/(a);b='c'?x=%C3%A9+%20&y[]=~!$*@:,/?",
  ])('%s', redirect => {
    expect(readRedirect(redirect, null)).toEqual({ kind: 'local', redirect });
  });

  test.each(['raycast://extensions/x/y', 'com.example.app:/callback', 'vscode://publisher.extension/pair?keep=1'])(
    '%s, where an app handles it',
    redirect => {
      expect(readRedirect(redirect, 'An App')).toEqual({ kind: 'local', redirect });
      expect(readRedirect(redirect, null)).toEqual({ kind: 'refused', fault: 'redirect_not_local' });
    },
  );

  test.each([
    ['http://127.0.0.1:1/a b/?c d=e  f ', null, 'http://127.0.0.1:1/a%20b/?c%20d=e%20%20f%20'],
    ['myapp://done/a b', 'An App', 'myapp://done/a%20b'],
  ])('%j, with percent-encoded spaces', (written, handler, redirect) => {
    expect(readRedirect(written, handler)).toEqual({ kind: 'local', redirect });
  });
});

describe('a refused callback', () => {
  test.each<[string, string, RedirectFault?]>([
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
    ['a fragment', 'http://127.0.0.1/cb#x', 'redirect_fragment'],
    ['an empty fragment', 'http://127.0.0.1/cb#', 'redirect_fragment'],
    ['a backslash', 'http://127.0.0.1\\@example.com/'],
    ['a tab in the scheme', 'ht\ttp://127.0.0.1/'],
    ['a line feed', 'http://127.0.0.1/\nx', 'redirect_characters'],
    ['a leading blank', ' http://127.0.0.1/'],
    ['one slash', 'http:/127.0.0.1/cb'],
    ['three slashes', 'http:///127.0.0.1/cb'],
    ['no port after the colon', 'http://127.0.0.1:/cb', 'redirect_port'],
    ['port 0', 'http://127.0.0.1:0/cb', 'redirect_port'],
    ['port 65536', 'http://127.0.0.1:65536/cb', 'redirect_port'],
    ['a code already there', 'http://127.0.0.1/cb?code=x', 'redirect_answered'],
    ['an escaped code', 'http://127.0.0.1/cb?a=1&c%6fde=x', 'redirect_answered'],
    ['an error', 'http://127.0.0.1/cb?ERROR=x', 'redirect_answered'],
    ['a context', 'raycast://extensions/x?context=%7B%7D', 'redirect_answered'],
    ['a broken escape', 'http://127.0.0.1/cb?%zz=1', 'redirect_encoding'],
    ['a broken escape in a value', 'http://127.0.0.1/cb?x=%zz', 'redirect_encoding'],
    ['a broken escape in the path', 'http://127.0.0.1/%zz', 'redirect_encoding'],
    ['a broken escape for an app', 'raycast://x?a=%zz', 'redirect_encoding'],
    ['an escape cut off', 'http://127.0.0.1/cb?x=%4', 'redirect_encoding'],
    ['an escape that is no UTF-8', 'http://127.0.0.1/cb?x=%E9', 'redirect_encoding'],
    ['a letter beyond ASCII', 'http://127.0.0.1/\u00e9', 'redirect_characters'],
    ['one in the query', 'http://127.0.0.1/cb?x=\u00e9', 'redirect_characters'],
    ['one for an app', 'myapp://\u00e9', 'redirect_characters'],
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
    ['a fragment behind the host', 'http://127.0.0.1#x', 'redirect_fragment'],
    ['a fragment for an app', 'myapp:done#x', 'redirect_fragment'],
    ['a quote', 'http://127.0.0.1/cb?a="', 'redirect_characters'],
    ['a no-break space', 'http://127.0.0.1/cb\u00a0', 'redirect_characters'],
    ['a space in the host', 'http://127.0.0.1 /cb'],
    ['a space in the port', 'http://127.0.0.1:80 /cb'],
    ['a bidirectional mark', 'http://127.0.0.1/\u202e', 'redirect_characters'],
  ])('%s: %j', (_, redirect, fault = 'redirect_not_local') => {
    const handler = redirect === 'localhost:8123' ? null : 'An App';
    expect(readRedirect(redirect, handler)).toEqual({ kind: 'refused', fault });
  });
});

describe('an address that acts by itself', () => {
  test.each([
    'shortcuts://run-shortcut?name=Erase',
    'shortcuts://x-callback-url/run-shortcut?name=Erase',
    'SHORTCUTS:run-shortcut',
    'applescript://com.apple.scripteditor?action=new&script=x',
    'workflow://run',
    'hammerspoon://event',
    'kmtrigger://macro=x',
    'alfred://runtrigger/a/b',
    'btt://execute_assigned_actions_for_trigger/',
    'x-apple.systempreferences:com.apple.preference.security',
    'com.apple.tv://x',
    'ms-settings:privacy',
    'ms-word:ofe|u|x',
    'iterm2:///command?c=x',
    'warp://action/new_tab?path=/tmp',
    'x-man-page://ls',
    'zed://extension/x',
    'txmt://open?url=x',
    'jetbrains://idea/checkout/git?x',
    'x-github-client://openRepo/x',
    'sourcetree://cloneRepo/x',
    'docker-desktop://x',
    'goose://extension?cmd=x',
    'itms-apps://x',
    'apt:sl',
    'steam://run/1',
    'teamviewer10://control',
    'zoommtg://join?confno=1',
    'whatsapp://send?text=x',
    'bitcoin:x?amount=1',
    'x+shortcuts://run',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=x',
    'cursor:mcp/install',
    'vscode:mcp/install?x',
    'vscode://file/etc/passwd',
    'vscode://settings/x',
    'vscode://vscode-remote/ssh-remote+host/x',
    'vscode://vscode.git/clone?url=x',
    'vscode-insiders://ms-vscode-remote.remote-containers/cloneInVolume?url=x',
    'windsurf:extension/x.y',
  ])('%s', redirect => {
    expect(readRedirect(redirect, 'An App').kind).toBe('refused');
  });

  test.each(['vscode://publisher.extension/pair', 'cursor://publisher.extension?x=1', 'windsurf://me.my-ext'])(
    'an extension of an editor has addresses of its own: %s',
    redirect => {
      expect(readRedirect(redirect, 'An App')).toEqual({ kind: 'local', redirect });
    },
  );
});

test.each([
  ['http://127.0.0.1:1/cb', true],
  ['https://localhost', true],
  ['raycast://extensions/x/y', true],
  ['com.example.app:/callback', true],
  ['editor.app://done', true],
  ['editor:done', false],
  ['EDITOR://done.x/y.z', false],
  ['vscode://publisher.extension/pair', false],
])('%s hears of a no: %s', (redirect, hears) => {
  expect(hearsOfNo(redirect)).toBe(hears);
});

describe('the answer', () => {
  const code = '6f7f6a1e-0000-4000-8000-000000000001';
  test.each([
    ['http://127.0.0.1:1/cb', null, `http://127.0.0.1:1/cb?code=${code}`],
    ['http://127.0.0.1:1/cb?keep=%20a', 's t', `http://127.0.0.1:1/cb?keep=%20a&code=${code}&state=s%20t`],
    ['myapp:/cb?', null, `myapp:/cb?code=${code}`],
    ['http://127.0.0.1:1/cb?state=a%20b&k', null, `http://127.0.0.1:1/cb?state=a%20b&k&code=${code}`],
    ['http://127.0.0.1:1/cb?State=a+b', 'a b', `http://127.0.0.1:1/cb?State=a+b&code=${code}`],
    ['raycast://x?state=z', 'z', `raycast://x?state=z&context=${encodeURIComponent(`{"code":"${code}","state":"z"}`)}`],
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

test.each([
  ['http://127.0.0.1/cb', true],
  ['http://127.0.0.1/cb?states=x', true],
  ['http://127.0.0.1/cb?%73tate=a%20b', true],
  ['http://127.0.0.1/cb?state=', false],
  ['http://127.0.0.1/cb?state=a+b&STATE=other', false],
  ['http://127.0.0.1/cb?state=%zz', false],
])('%s agrees with the state of its link: %s', (redirect, agrees) => {
  expect(agreesOnState(redirect, 'a b')).toBe(agrees);
});
