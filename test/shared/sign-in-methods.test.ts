import { expect, test } from '@jest/globals';
import { parseConnectionUrl } from '../../shared/connection-url.ts';

const read = (text: string) => parseConnectionUrl(text, { cwd: '/', home: '/' });

function methodsIn(text: string): readonly string[] | undefined {
  const parsed = read(text);
  if (parsed.kind === 'refused') throw new Error(parsed.problem);
  expect(parsed.ignored).toEqual([]);
  return parsed.signInMethods;
}

test.each<[options: string, methods: readonly string[] | undefined]>([
  ['require_auth=', undefined],
  ['require_auth=password,md5,scram-sha-256,none', undefined],
  ['require_auth=scram-sha-256', ['scram-sha-256']],
  ['require_auth=none,%20md5', ['none', 'md5']],
  ['require_auth=!gss,!sspi', undefined],
  ['require_auth=!password', ['none', 'md5', 'scram-sha-256']],
  ['requireAuth=scram-sha-256', ['scram-sha-256']],
  ['channel_binding=prefer', undefined],
  ['channel_binding=disable', undefined],
  ['channelBinding=require', ['scram-sha-256-plus']],
  ['require_auth=!none&channel_binding=require', ['scram-sha-256-plus']],
  ['require_auth=scram-sha-256&channel_binding=disable', ['scram-sha-256']],
])('%s', (options, methods) => {
  expect(methodsIn(`postgres://u@h/d?${options}`)).toEqual(methods);
  const pairs = options
    .replaceAll('%20', '')
    .split('&')
    .map(pair => pair.replace(/=(.*)$/, "='$1'"));
  expect(methodsIn(`host=h ${pairs.join(' ')}`)).toEqual(methods);
});

test.each([
  ['require_auth=md5,md5', /each once/],
  ['require_auth=md5,!password', /require_auth must name/],
  ['require_auth=SCRAM-SHA-256', /require_auth must name/],
  ['require_auth=md5,,none', /require_auth must name/],
  ['require_auth=!', /require_auth must name/],
  ['require_auth=scram-sha-256-plus', /require_auth must name/],
  ['require_auth=gss', /leave no way to sign in/],
  ['require_auth=!none,!password,!md5,!scram-sha-256', /leave no way to sign in/],
  ['require_auth=md5&channel_binding=require', /leave no way to sign in/],
  ['require_auth=!scram-sha-256&channel_binding=require', /leave no way to sign in/],
  ['channel_binding=on', /disable, prefer or require/],
])('%s is refused', (options, problem) => {
  expect(read(`postgres://u@h/d?${options}`)).toEqual({ kind: 'refused', problem: expect.stringMatching(problem) });
});

test('MySQL has no such options', () => {
  expect(read('mysql://u@h/d?channel_binding=require')).toMatchObject({
    problem: expect.stringMatching(/only with PostgreSQL/),
  });
  expect(read('mysql://u@h/d?channel_binding=prefer')).toMatchObject({ kind: 'parsed' });
});
