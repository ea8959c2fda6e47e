/**
 * Growth for texts from others, except statements: links, URLs, headers, JSON, configuration files,
 * names, lines of a log.
 */

import { expect, test } from '@jest/globals';
import { EventStream } from '../../bridge/client/event-stream.ts';
import { memberSpan, wholeObject, withMember } from '../../bridge/client/json-text.ts';
import { readPairingLink } from '../../daemon/access/pairing/pairing-link.ts';
import { readRedirect } from '../../daemon/access/pairing/redirect.ts';
import { quoted } from '../../daemon/access/privilege-increases/increase-words.ts';
import { type BearerPorts, bearerOf } from '../../daemon/clients/http/bearer.ts';
import { namesThisMachine, originIsOwn } from '../../daemon/clients/http/host-and-origin.ts';
import { columnOf } from '../../daemon/engines/mysql/describe/columns.ts';
import { refuseEmpty } from '../../daemon/engines/mysql/run/emptiness.ts';
import { leadingWord } from '../../daemon/engines/sqlite/child/leading-word.ts';
import { bindingsOf } from '../../daemon/engines/sqlite/child/parameters.ts';
import { commentsOf } from '../../daemon/engines/sqlite/describe/comments.ts';
import { constraintsIn } from '../../daemon/engines/sqlite/describe/constraints.ts';
import { indexedText, matchOf } from '../../daemon/storage/history/search-words.ts';
import { holdsSecret } from '../../daemon/storage/history/statement-secrets.ts';
import { redactText } from '../../daemon/storage/log/log-redaction.ts';
import type { ClientEntry } from '../../shared/client-configs.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';
import { merge } from '../../shell-terminal/connect/merge.ts';
import { deepLinkKind, redirectScheme } from '../../shell-terminal/deep-link.ts';
import { reachedBy } from '../../shell-terminal/past/reaches.ts';
import { hasPassword, urlsIn } from '../../shell-terminal/past/urls.ts';
import { type Cost, expectLinear, type Growing, grown, mixtures, some } from '../growth.ts';
import { fuzzPatienceMilliseconds, fuzzSeconds } from '../guard/fuzz.ts';

const statementBytes = 99_000;
/** Node's own limit for all headers of a request, and far more than a link or URL may have. */
const headerBytes = 16_000;
const fileBytes = 200_000;

const entry = (format: ClientEntry['format']): ClientEntry => {
  return { format, under: ['mcpServers'], kind: 'member', name: 'sallyport', value: { command: '/x' }, head: [] };
};
const base = { cwd: '/', home: '/home/a' };
const differences = () => ({});
const nowhere = { outer: { variables: {}, isStrangers: false }, base, read: () => null };
const knowsNoToken = {
  tokens: { verify: () => ({ kind: 'unknown' }) },
  retiredBridgeTokens: { isRetired: () => false },
  lockout: { secondsLeft: () => 0, failed() {} },
} as unknown as BearerPorts;

interface Reader {
  readonly what: string;
  readonly most: number;
  readonly read: (text: string) => unknown;
  readonly beginnings: readonly string[];
  readonly pieces: string;
  readonly known?: readonly Growing[];
}

const sql = `' '' " "" ( ) [ ] , ; : . * = - -- # /* */ /*! ? ?1 :p @a \\ a 1 check constraint password attach key crypt( secret select
  insert into values identified by connection set as like`;

const readers: readonly Reader[] = [
  {
    what: 'a pairing link',
    most: headerBytes,
    read: text => [readPairingLink(text, () => null), deepLinkKind(text), redirectScheme(text)],
    beginnings: ['', 'sallyport://', 'sallyport://pair?', 'sallyport://pair?redirect=a://', 'a'],
    pieces: 'a A 0 % %41 %E2 & = ? # / : + - . ; redirect= challenge= name= é',
  },
  {
    what: "a redirect's address",
    most: headerBytes,
    read: text => readRedirect(text, null),
    beginnings: ['', 'http://127.0.0.1', 'http://127.0.0.1:1', 'http://[::1]:', 'a.b'],
    pieces: 'a 0 . : / \\ @ [ ] % %2f ? # - + é',
  },
  {
    what: 'the URL of a connection',
    most: headerBytes,
    read: text => parseConnectionUrl(text, base),
    beginnings: ['', 'postgres://', 'postgres://a:', 'mysql://a@', 'postgres://a@[', 'mysql://a/b?', 'sqlite:'],
    pieces: 'a 0 : @ / % %41 & = ? # [ ] . , ~ host= sslmode= é',
  },
  {
    what: "a server in a client's file",
    most: 20_000,
    read: text => [
      reachedBy('db', { command: text, args: [], env: { A: text } }, '', nowhere),
      reachedBy('db', { command: 'bash', args: ['-c', text, `--dsn=${text}`, text] }, '', nowhere),
      urlsIn(text).map(hasPassword),
    ],
    beginnings: ['', 'npx ', 'docker run ', 'postgres://a:'],
    pieces: `a @ : / // \\ ' " ; && - -- -e = A= == [ ] . _ \${env: } $A postgres:// a:b@ --dsn é`,
  },
  {
    what: 'Host and Origin',
    most: headerBytes,
    read: text => [namesThisMachine(['Host', text]), originIsOwn(['Host', text, 'Origin', text])],
    beginnings: ['', 'localhost', 'localhost:', 'http://127.0.0.1:'],
    pieces: 'a 0 : . [ ] / @ é',
  },
  {
    what: 'Authorization',
    most: headerBytes,
    read: text => bearerOf({ authorization: text }, knowsNoToken),
    beginnings: ['', 'Bearer ', 'bearer  sp_'],
    pieces: 'a 0 _ - = , ; \t é Bearer sp_',
  },
  {
    what: 'events of a stream',
    most: fileBytes,
    read: text => new EventStream().push(Buffer.from(text)),
    beginnings: ['', 'data: ', 'data: x\n'],
    pieces: 'a : \n \r\n \r data: data id: é',
  },
  {
    what: 'the text of a JSON object',
    most: fileBytes,
    read: text => {
      const whole = wholeObject(text);
      return [quietly(() => memberSpan(text, whole, 'z')), quietly(() => withMember(text, whole, '"z":1'))];
    },
    beginnings: ['{', '{"a":', '{"a":[', '{"a":"'],
    pieces: '{ } [ ] " \\" \\\\ : , 1 "a" "a":1, "a":{ é \n',
  },
  {
    what: "a client's configuration in JSON",
    most: 50_000,
    read: text => quietly(() => merge(text, entry('json'), differences)),
    beginnings: ['', '{', '{"mcpServers":{', '// '],
    pieces: '{ } [ ] " \\ : , 1 // /* */ \n "a":1, "a":"b",\n "a":{} é',
    known: [grown('{"a":[', '1,\n', '1]}'), grown('{', '"a":1,', '"b":2}'), grown('', '\n', '{}')],
  },
  {
    what: "a client's configuration in YAML",
    most: 4_000,
    read: text => quietly(() => merge(text, entry('yaml'), differences)),
    beginnings: ['', 'mcpServers:\n', 'a: '],
    pieces: `a: - { } [ ] " ' # & * | > ? ! 1 , \n \n- a:\n &a *a é`,
    known: [grown('', ' ?')],
  },
  {
    what: 'the lines of a log',
    most: fileBytes,
    read: redactText,
    beginnings: ['', 'password: "', '://', '-----BEGIN '],
    pieces: `a = : " ' \\ @ / :// password token= bearer - sp_ -----BEGIN identified by`,
  },
  {
    what: 'a text to show',
    most: fileBytes,
    read: text => [shownText(text), shownName(text), quoted(text)],
    beginnings: [''],
    pieces: '\\ { \\u{ a \u001b \u200b \' ` \u2019 " é \ufe0f \n',
  },
  {
    what: 'a question to the history',
    most: fileBytes,
    read: text => [matchOf(text, []), indexedText(text)],
    beginnings: ['', '"', 'a'],
    pieces: 'a A aA "a " 0 _ . é 0a Ab',
    known: [grown('', 'aB'), grown('', '0a'), grown('', 'a')],
  },
  {
    what: 'a statement, read outside the classifiers',
    most: statementBytes,
    read: text => [
      refuseEmpty(text),
      leadingWord(text),
      bindingsOf(text, []),
      constraintsIn(text),
      commentsOf(text),
      holdsSecret(text.slice(0, 16_384)),
    ],
    beginnings: ['', 'select ', '/*', '-- ', 'pragma ', 'create table t (', 'insert into t ('],
    pieces: sql,
    known: [
      grown('', '/*a*/', 'select 1'),
      grown('/*\t', '*//*\t-'),
      grown('', '/*'),
      grown('', 'check ('),
      grown('', 'hmac('),
      grown('', 'attach '),
      grown('', 'password'),
      grown('insert ', '('),
    ],
  },
  {
    what: "a column's type and default",
    most: 70_000,
    read: text => [
      columnOf(['a', `enum(${text})`, 'NO', null, '', '', '', null], { isMariadb: false, collation: null }),
      columnOf(['a', 'text', 'NO', text, '', '', '', null], { isMariadb: true, collation: null }),
    ],
    beginnings: ['', "'", '('],
    pieces: `' '' \\ \\' , a 'a', é ( ) (a)`,
  },
];

function quietly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    // A refused text, or one that this reader never gets.
    return null;
  }
}

test.each(readers.map(reader => [reader.what, reader] as const))(
  '%s is read in a time that grows no faster than its length',
  (_, { most, read, beginnings, pieces, known = [] }) => {
    const cost: Cost = text => void read(text);
    const ends = ['', '!', '"', '}', '\n', ')'];
    const mixed = mixtures([' ', ...pieces.split(/ |\n {2}/)], beginnings, ends);
    const longest = [...known, ...some(mixed, Math.ceil(2.5 * fuzzSeconds))];
    expectLinear(longest, most, cost);
    expect(longest.length).toBeGreaterThan(0);
  },
  fuzzPatienceMilliseconds,
);
