/**
 * Connections as consoles, frameworks and drivers write them, and the result of each: where it
 * leads, and what is said about the rest.
 */

import { describe, expect, test } from '@jest/globals';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { ignoredSentence } from '../../shared/url-parts.ts';
import { consoles, type Expected, libpq, piecesOfPasswords, programs, refused } from './pasted-connections.ts';

const base = { cwd: '/srv/here', home: '/home/anna' };
const parse = (text: string) => parseConnectionUrl(text, base);

function read(text: string): Expected {
  const result = parse(text);
  if (result.kind === 'refused') throw new Error(result.problem);
  const { engine, host, port, socketPath, filePath, database, user } = result.endpoint;
  const server = socketPath ?? `${host}${port === null ? '' : `:${port}`}`;
  const place = filePath ?? `${user === null ? '' : `${user}@`}${server}${database === null ? '' : `/${database}`}`;
  const { mode, caFile } = result.tls;
  return {
    place: `${engine} ${place}`,
    ...(mode !== null && { mode }),
    ...(caFile !== null && { ca: caFile }),
    ...(result.ignored.length > 0 && { ignored: result.ignored.join(' ') }),
    ...(result.timeZone !== undefined && { zone: result.timeZone }),
    ...(result.passwordIsPlaceholder && { asked: true as const }),
    ...(result.targetServers !== undefined && { servers: result.targetServers }),
    ...(result.signInMethods !== undefined && { methods: result.signInMethods.join(' ') }),
  };
}

describe('read', () => {
  test.each([...consoles, ...programs, ...libpq])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

test.each(refused)('%s is refused by name', (text, named) => {
  const result = parse(text);
  if (result.kind !== 'refused') throw new Error(JSON.stringify(result));
  expect(result.problem).toMatch(named);
  expect(result.problem).not.toMatch(/hun|ter2/);
});

describe('a piece of a password is never repeated', () => {
  test.each(piecesOfPasswords)('%s', text => {
    const result = parse(text);
    const told = result.kind === 'refused' ? result.problem : (ignoredSentence(result) ?? '');
    expect(told).not.toMatch(/hun/);
    expect(told).not.toBe('');
  });

  test('all the rest is reported in one line', () => {
    const result = parse('postgres://u@h/d?application_name=a&env=b&name=c');
    expect(result.kind === 'parsed' && ignoredSentence(result)).toBe(
      'application_name, env and name in the URL have no effect here.',
    );
  });
});
