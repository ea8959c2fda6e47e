/**
 * What the macOS shell's own rules must come to, computed from the rules of the other shells: shared/fixtures/*.json, which the Swift
 * tests read. Only the inputs stand here.
 */

import { settingKeys, settingSpecs } from '../../daemon/access/settings/settings.ts';
import { blankRowsCounted, longBlanksCounted } from '../../shared/blank-rows.ts';
import { type ClientConfig, httpConfigs, stdioConfigs } from '../../shared/client-configs.ts';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import { shownName, shownText } from '../../shared/shown-text.ts';

export const vectors: Readonly<Record<string, () => unknown>> = {
  'shown-text': () => ({
    texts: texts.map(text => ({ text, line: shownText(text), lines: shownText(text, 'lines'), name: shownName(text) })),
    escaped: escapedRanges(),
  }),
  'connection-urls': () => ({
    base,
    urls: urls.map(url => {
      const read = parseConnectionUrl(url, { cwd: base.folder, home: base.home });
      if (read.kind === 'refused') return { url, refused: read.problem };
      const { endpoint, targetServers, tls, password, passwordIsPlaceholder, timeZone } = read;
      return { url, parsed: { endpoint, targetServers, tls, password, passwordIsPlaceholder, timeZone } };
    }),
  }),
  'client-configs': () => ({
    stdio: bridgePaths.map(bridgePath => ({ bridgePath, configs: stdioConfigs(bridgePath).map(printed) })),
    http: [{ port: 27_432, token: '<ACCESS_TOKEN>' }].map(asked => ({
      ...asked,
      configs: httpConfigs(asked.port, asked.token).map(printed),
    })),
  }),
  'statement-rows': () =>
    statements.map(text => ({
      text,
      rows: blankRowsCounted(shownText(text, 'lines').split('\n').flatMap(longBlanksCounted)),
    })),
  settings: () => settingKeys.map(settingView),
};

const printed = ({ client, title, where, format, text }: ClientConfig) => ({ client, title, where, format, text });

/** In the order in which `settings.list` gives them. */
function settingView(key: (typeof settingKeys)[number]) {
  const { about, kind, default: value } = settingSpecs[key];
  return { key, value, default: value, accepts: kind.accepts, about };
}

/** First and last of each run of code points that are escaped, save those no version of Unicode has assigned yet, and surrogates. */
function escapedRanges(): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/\p{Cn}|\p{Cs}/u.test(character) || shownText(character) === character) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

const base = { folder: '/srv/here', home: '/home/anna' };

const texts = [
  'plain ünïcode 🐚 藍',
  '\u001b[2J\u001b[31mApprove',
  'a\u202eb\u2066c',
  'zero\u200bwidth\u2060\ufeff',
  'select 1\n\tfrom t\r\n where x = 1',
  '\u2028\u2029\u0085\u009b',
  'tag \u{e0041}',
  'hangul filler \u3164',
  'blanks \u00a0\u1680\u2000\u200a\u202f\u205f\u3000',
  'variation a\ufe00b\ufe0e \u2764\ufe0f \u{e0100}\u{e01ef} \u180b\u180c\u180d\u180e\u180f',
  'fillers \u034f\u115f\u1160\u17b4\u17b5\uffa0\u00ad, braille \u2800\u2801',
  'operators \u2061\u2062\u2063\u2064, notes \ufff9\ufffa\ufffb, tags \u{e0000}\u{e007f}',
  'a false \\u{1b}, and \\\\u{1b}, and \\u',
  'family 👩‍👩‍👧 and flag 🇩🇪 and e\u0301 and \u0301 alone',
  'x'.repeat(64),
  'x'.repeat(65),
  '🐚\n'.repeat(64),
  '',
];

const blanks = ' '.repeat(40);
const statements = [
  'delete from t',
  'select 1\n  from t\n\n where x = 1',
  `delete from t where id = 1${blanks}or true`,
  `delete from t where id = 1${blanks.slice(1)}or true`,
  'delete from t where id = 1\t\t\t\t\tor true',
  `${blanks}or true${blanks} -- ${blanks}`,
  `a\n\n\n \t\n${blanks}\nb\n`,
  `a\n${blanks.repeat(9)}\nb`,
  `a${blanks}\u0301b\n\u0301\n${blanks}\u0301`,
  `\n\n`,
  '~ … 40 blanks\n… 40 blanks\n> a\n: b',
  `a\u00a0${blanks}\r\n\u2800\n\n`,
  '',
];

const bridgePaths = [
  '/Applications/Sallyport.app/Contents/MacOS/sallyport-mcp',
  '/Users/anna/My Apps/Sallyport.app/Contents/MacOS/sallyport-mcp',
  '/Users/größe/it\'s "here"\\now/sallyport-mcp',
  '/Users/anna/tab\there\u0001/$HOME/`x`/sallyport-mcp',
  "/Users/anna/'\u0301/sallyport-mcp",
];

const urls = [
  'postgres://h',
  'postgresql://h',
  'POSTGRES://h',
  'mariadb://h/',
  'postgres://anna@db.example.com:6432/shop',
  'postgres://an%40na@h/my%2Fshop%20%C3%A9',
  'postgres://[::1]:5433/shop',
  'mysql://[fe80::1]/',
  'mysql://[::1]:',
  'mysql://[::1]x/',
  'postgres:///shop?host=/var/run/postgresql',
  'postgres://anna@:6432/shop?host=/tmp',
  'postgres://%2Frun%2Fpg/shop',
  'postgres:///?socket=/run/pg/.s.PGSQL.1',
  'mysql://root@/shop?socket=/run/mysqld/mysqld.sock',
  'mysql:///?socket=my.sock',
  'postgres:///?host=h&port=7&user=u&dbname=d',
  'mysql://h/d?sslmode=verify-ca&sslrootcert=/ca.pem',
  'mysql://h/d?sslmode=verify-full&sslrootcert=system',
  'mysql://h/d?ssl-mode=VERIFY_IDENTITY&ssl-ca=ca.pem',
  'mysql://h/d?ca=~/ca.pem',
  'mysql://h/d?ca=~otto/ca.pem',
  'postgres://u:hunter2@h/d',
  'postgres://u:a%3Ab%2Fc%40d%23e%25@h/d',
  'postgres://u:a+b:c@h/d',
  'postgres://u:@h/d',
  'postgres://u@h/d?password=p%26q',
  'mysql://:only@h',
  'shop.db',
  './a:b.db',
  '../shop.db',
  '/data/../../shop.db/',
  '~/shop.db',
  '~otto/shop.db',
  '/data/what?.db',
  'sqlite:~/my%20shop%3F.db',
  'file:./dev.db',
  'sqlite:////data/shop.db',
  'SQLite:größe.db',
  'sqlite:shop.db?mode=ro',
  'sqlite:shop.db?"x"',
  'sqlite:',
  ':memory:',
  'sqlite:a%00b',
  'sqlite:a%zz',
  '',
  '  ',
  'oracle://u:hunter2@h/d',
  'u:hunter2@h/d',
  'localhost:5432/shop',
  'postgres:h/d',
  'postgres://',
  'postgres://u:hunter2@/d',
  'postgres://u:hunter2@h:0/d',
  'postgres://u:hunter2@h:65536/d',
  'postgres://u:hunter2@h:x/d',
  'postgres://u:hunter2@h:٣/d',
  'postgres://u:hunter2@a,b/d',
  'postgres://u:hunter2@h1:5432,h2:5433/d',
  'mysql://u@h1,h2,h3:3307/d',
  'postgres://[::1]:5433,h2/d',
  'postgres://u:hunter2@a,/d',
  'postgres://u:hunter2@a,b:0/d',
  'postgres://u:hunter2@a,b:x/d',
  'postgres://a,[::1/d',
  'postgres://a,%2Frun%2Fb/d',
  'postgres:///d?host=h1,::1&port=5433,',
  'postgres:///d?host=h1,h2&port=5433',
  'postgres:///d?host=a,b&port=1,2,3',
  'postgres:///d?host=a,b&port=1,x',
  'postgres:///d?host=/run/a,/run/b',
  'host=h1,h2 port=1,2',
  'postgres://h1,h2/d?target_session_attrs=read-write',
  'postgres://h1,h2/d?target_session_attrs=any',
  'postgres://h/d?sslcert=~/c.crt&sslkey=c.key',
  'mysql://h/d?ssl-cert=/c.crt&ssl-key=c.key&ssl-mode=VERIFY_CA&ssl-ca=ca.pem',
  'postgres://h/d?sslkey=c.key',
  'postgres://h/d?sslkey=c.key&sslcert=c.crt&sslpassword=hunter2',
  'host=h sslpassword=hunter2',
  'postgres://h/d?sslcert=~otto/c.crt&sslkey=c.key',
  'postgres://h/d?target_session_attrs=secondary',
  'mysql://h/d?target_session_attrs=primary',
  'postgres://u:hunter2@h/a/b',
  'postgres://u:hun#ter2@h/d',
  'postgres://u:hun@ter2@h/d',
  'postgres://u:hun/ter2@h/d',
  'postgres://u:hunter2%@h/d',
  'postgres://u:hunter2%zz@h/d',
  'postgres://u:hunter%ff@h/d',
  'postgres://u:hunter2@::1/d',
  'postgres://u:hunter2@h/d?channel_binding=require',
  'postgres://u:hunter2@h/d?p%40ss=1',
  'postgres://u:hun?ter2@h/d',
  'postgres://h/d?sslmode=allow',
  'postgres://h/d?__proto__=1',
  'postgres://h/d?sslmode=',
  'postgres://h/d?sslmode=require&tls=require',
  'postgres://u@h/d?user=v',
  'postgres://h/d?socket=/x',
  'postgres:///d?host=/x&socket=/y',
  'postgres:///d?socket=~otto/x',
  'postgres://h/d%0Ae',
  'postgres://h/d\ne',
  // To Swift a separator with a mark behind it is one character and no separator.
  'postgres://u:p@\u0301h/d',
  'postgres://h/\u0301d',
  'sqlite:a/\u0301b/../c',
  ' postgres://u:hunter2@h/d\n',
  '\u00a0\ufeffpostgres://u:hunter2@h/d\u2028',
  '\u0085postgres://u:hunter2@h/d',
  '"postgres://u:hunter2@h/d"',
  " ' postgres://u:hunter2@h/d ' ",
  '“postgres://u:hunter2@h/d”',
  '«postgres://u:hunter2@h/d»',
  '"postgres://u:hunter2@h/d\'',
  '"',
  "''",
  'DATABASE_URL=postgres://u:hunter2@h/d',
  'export DB = "mysql://u:hunter2@h/d"',
  'SET  _x1=sqlite://shop.db',
  'export  =postgres://h',
  'export set DB=postgres://u:hunter2@h/d',
  'exportDB=postgres://u:hunter2@h/d',
  'DATABASE_URL=hunter2',
  '1DB=postgres://u:hunter2@h/d',
  'postgres://u:hunter2@h/d x',
  'postgres://h/d?hunter2',
  'postgres://h/d?password=a&hunter2=b',
  'jdbc:postgresql://h/d?password=hunter2',
  'JDBC:mysql://h:3307/d?useSSL=true&serverTimezone=UTC',
  'jdbc:shop.db',
  'jdbc:sqlite:shop.db',
  'jdbc:jdbc:mysql://h/d',
  'jdbc:oracle:thin:@h',
  'jdbc+x:mysql://h/d',
  'postgresql+psycopg2://u:hunter2@h/d',
  'mysql+mysql_connector://u@h/d',
  'mysql+://h/d',
  'mysql+a+b://h/d',
  'sqlite+pysqlite:///shop.db',
  'sqlite3:shop.db',
  'mysql2://h/d',
  'postgis://h/d',
  'postgres:///d',
  'postgres:///?sslmode=require',
  'postgres://u@/d',
  'mysql:///d?unix_socket=/run/mysqld/mysqld.sock',
  'postgres://h/d?sslmode=require&channel_binding=require&pgbouncer=true&schema=public',
  'postgres://h/d?schema=a%zz',
  'postgres://h/d?ssl=true&sslmode=require',
  'postgres://h/d?ssl=0',
  'mysql://h/d?sslaccept=accept_invalid_certs',
  'mysql://h/d?tls=skip-verify',
  'mysql://h/d?ssl={"rejectUnauthorized":%20true}',
  'mysql://h/d?sslMode=VERIFY_IDENTITY',
  'host=h dbname=d connect_timeout=10 sslmode=verify-full',
  'host=h Options=a;b',
  'psql postgres://u:hunter2@h/d',
  'my_user:hunter2@h/d',
  '-phunter2',
  './a=b.db',
  'a=b.db',
  '.hidden.db',
  '..',
  '~',
  'host=h port=7 user=u password=hunter2 dbname=d sslmode=require',
  'HOST = h  PassWord = hunter2 ',
  "password='hunter2 \\'\\\\ x' host=h",
  'host=h password=hunter2\\ x\\=',
  'host=h password=hunter2==',
  "host='' user=u password=hunter2",
  'host= h',
  'host=/run/pg user=u',
  "host=h password='hunter2",
  "host=h password='hunter2'x",
  "host=h password=hunter2'",
  'host=h password=hunter2 x',
  'host=h password=hunter2\\',
  'host=h password=hunter2;y=1 user=u',
  'host=h;password=hunter2',
  "host=h dbname='a;b' password=hunter2",
  'host=h host=i',
  'host=h =x',
  'user=u password=hunter2',
  'host=h port=x password=hunter2',
  'host=a,b password=hunter2',
  'Driver={PostgreSQL};Server=h;Pwd=hunter2;',
  'Server=h Password=hunter2',
  'host=h\u0301 user=u\u00a0x',
  'host=h user==\u0301',
];
