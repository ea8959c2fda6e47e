/**
 * Every sentence that refuses a connection's URL, by a name, in this one place. Tables of URLs say
 * the name, and `{}` stands for what the sentence takes from the URL.
 */

const encoding =
  'in a user name or password the characters : / ? # [ ] @ and % are written as %3A %2F %3F %23 %5B %5D %40 %25';
const forms = 'postgres://user@host/database, mysql://user@host/database, sqlite:path or the path of an SQLite file';
const separate = 'postgres://user@host:port/database or mysql://user@host:port/database';

const sentences: Readonly<Record<string, string>> = {
  empty: `The connection's URL is empty; ${forms} is expected.`,
  unknown: `That is not a URL that Sallyport knows; ${forms} is expected. A file whose name has a colon is written ./name.`,
  unsupported:
    'That is not a URL that Sallyport knows: {} is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
  unsupported_string: '{} is not supported; PostgreSQL, MySQL, MariaDB and SQLite are.',
  slashes: 'Write // after the scheme, as in {}://user@host/database.',
  jdbc_word: "Sallyport doesn't know the word behind the driver's name; leave it out.",
  driver: "Sallyport doesn't know the driver after the + of the URL; leave it out.",
  tunnel: 'That URL has an SSH tunnel, which is not read here; `sallyport connections add` reads it.',
  command_line: `That is a command line; write the server, port, database and user that it names as ${separate}, and give the password separately.`,
  other_text: 'There is a URL with other text around it; give the URL alone.',
  reference: 'That is a placeholder or a variable; give the URL that belongs there.',
  placeholder: 'The URL has a placeholder for its {}; write your own.',
  control_character: 'The URL has a control character in it; remove it.',
  encoded_control_character: 'The URL has an encoded control character in it; remove it.',
  invisible_character: 'The URL has an invisible character in it; remove it.',
  space: 'The URL has a space in it; remove it, or write it %20.',
  bare: `The URL has a bare {} in it; ${encoding}.`,
  bare_early: `The URL has a bare {} before its last @; ${encoding}.`,
  several_at: `The URL has more than one @ before the host; ${encoding}.`,
  percent: `A % in the URL is not followed by two hexadecimal digits; ${encoding}.`,
  port: `The port in the URL is not a number from 1 to 65535; ${encoding}.`,
  host: `The host in the URL can't be read: an IPv6 address stands in brackets, and ${encoding}.`,
  hosts: "The hosts in the URL can't be read: at most 16, as h1:5432,h2 or [::1]:5432,h2.",
  ports: 'The URL names more ports than hosts, or fewer.',
  no_host: 'The URL names no host; write one after //.',
  host_and_socket: 'The URL names a host and a socket; remove one.',
  two_sockets: 'The URL names two sockets; remove one.',
  socket_of_several: "A socket can't be one of several servers; name only the socket, or only hosts.",
  twice: 'The URL gives its {} twice; remove one.',
  repeated: "The URL's option {} repeats another one; remove one.",
  database_name: 'Write one database name after the host; in it, write / as %2F and % as %25.',
  target_servers:
    'target_session_attrs must be any, read-write, read-only, primary, standby, prefer-standby, and works only with PostgreSQL.',
  unusual_option:
    "The URL has an option Sallyport doesn't know, whose name is unusual; remove it, or write an & of the password as %26.",
  unreadable_option: "The URL's option {} has no readable value.",
  tls_mode: 'The TLS mode in the URL is not one of disable, prefer, require, verify-ca, verify-full.',
  tls_allow:
    'Sallyport does not take the TLS mode allow: it sends the password in clear text first. Write prefer, require or verify-full.',
  half_certificate: 'sslcert and sslkey belong together; name both files.',
  key_passphrase:
    "The passphrase of a client key doesn't belong in a URL: leave sslpassword out, save the connection, and give it with sallyport connections set NAME --key-passphrase-stdin.",
  certificate_path: 'Write the whole paths of sslcert and sslkey.',
  ca_path: 'Write the whole path of the CA file.',
  socket_path: 'Write the whole path of the socket.',
  pairs: `The key=value pairs can't be read; the keys are host, port, dbname, user, password, sslmode and sslrootcert, and a value with a space is in single quotes. A file whose name has a = is written ./name.`,
  pairs_two_ways: 'The pairs can be read in two ways; write Host before Password.',
  pairs_host: 'The key host is missing; add host=….',
  semicolons:
    "The ODBC or ADO.NET string can't be read: write KEY=VALUE;KEY=VALUE, and a value with a semicolon in double quotes.",
  semicolons_engine: `That ADO.NET string may be of PostgreSQL or MySQL: add Port=5432 or Port=3306, or write it as ${separate}.`,
  semicolons_driver: 'That ODBC string names a driver or a data source of this machine; name the server itself.',
  semicolons_tcp: 'Only TCP is read in an ODBC or ADO.NET string; name a host, or the path of a socket.',
  semicolons_server: 'The key Server is missing.',
  key_twice: 'One of the keys is there twice; remove one.',
  go_name:
    "In names of Go's driver Sallyport reads only tcp(…) and unix(…); name a host, or the socket of a proxy on this machine.",
  file_missing: 'sqlite: needs the path of a file.',
  file_alone: 'Write the path of the SQLite file alone.',
  file_memory: 'A database in memory belongs to one process; give the path of a file.',
  file_options: "sqlite: takes no options of an unusual name; a ? in a file's name is written %3F.",
  file_percent: 'A % in the path is not followed by two hexadecimal digits; write it %25.',
  file_control_character: 'The path has a control character in it; remove it.',
  other_home: "Another user's home (~name) is not looked up; write the whole path.",
  ...options({
    leads: [
      'where it leads',
      {
        address: 'name that address as the host',
        proxy: 'name a host, or the socket of a proxy on this machine',
        service: '`sallyport setup` reads the service file',
        settings: 'give the role those settings on the server, and leave it out here',
        cluster: 'name the cluster before the database, as CLUSTER.DATABASE',
      },
    ],
    signs_in: [
      'as whom it signs in',
      { role: 'sign in as that role', password_file: '`sallyport setup` reads the password file' },
    ],
    safety: ['how safely the server is reached', {}],
    means: [
      'what a statement means or may do',
      {
        path: 'give the role that search path on the server, and leave it out here',
        settings: 'give the role those settings on the server, and leave it out here',
      },
    ],
    opens_file: ['how the file is opened', {}],
    decrypts_file: ['how the file is decrypted', {}],
  }),
};

/** @returns a sentence for each kind of option, and for each other advice than to leave it out. */
function options(
  kinds: Readonly<Record<string, readonly [changes: string, advice: Readonly<Record<string, string>>]>>,
) {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, [changes, advice]]) =>
      Object.entries({ '': 'leave it out', ...advice }).map(([way, does]) => [
        way === '' ? kind : `${kind}_${way}`,
        `The URL's option {} changes ${changes}, and Sallyport doesn't do that: ${does}.`,
      ]),
    ),
  );
}

const patterns = Object.entries(sentences).map(([name, sentence]) => {
  const escaped = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\{\\}', '(.+)');
  return [name, new RegExp(`^${escaped}$`)] as const;
});

/** @returns the names of all of them, for the test that each is met. */
export const refusalNames = Object.keys(sentences);

/**
 * @returns the name of a refusal and what it takes from the URL, as in `port` or `twice user`; the
 * sentence itself if it has no name.
 */
export function refusalNamed(problem: string): string {
  for (const [name, pattern] of patterns) {
    const found = pattern.exec(problem);
    if (found !== null) return [name, ...found.slice(1)].join(' ');
  }
  return problem;
}
