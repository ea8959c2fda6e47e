/** What a client could ask for before its session begins. */

export interface StartUpAttack {
  readonly name: string;
  readonly parameters: readonly (readonly [string, string])[];
  readonly version?: number;
}

export const startUps: readonly StartUpAttack[] = [
  { name: 'options', parameters: [['options', '-c default_transaction_read_only=off']] },
  { name: 'options with --', parameters: [['options', '--default_transaction_read_only=off']] },
  { name: 'options with a path', parameters: [['options', '-c search_path=shadow,pg_catalog']] },
  { name: 'options with an encoding', parameters: [['options', '-c client_encoding=SJIS']] },
  { name: 'options with blanks', parameters: [['options', '-c\\ default_transaction_read_only=off']] },
  { name: 'the wall', parameters: [['default_transaction_read_only', 'off']] },
  { name: 'the wall in capitals', parameters: [['DEFAULT_TRANSACTION_READ_ONLY', 'off']] },
  {
    name: 'the wall twice',
    parameters: [
      ['default_transaction_read_only', 'off'],
      ['default_transaction_read_only', 'off'],
    ],
  },
  { name: 'the wall of one transaction', parameters: [['transaction_read_only', 'off']] },
  { name: 'a role', parameters: [['role', 'rw']] },
  { name: 'session_authorization', parameters: [['session_authorization', 'rw']] },
  { name: 'is_superuser', parameters: [['is_superuser', 'on']] },
  { name: 'replication of a database', parameters: [['replication', 'database']] },
  { name: 'replication', parameters: [['replication', 'true']] },
  { name: 'replication, 1', parameters: [['replication', '1']] },
  { name: 'a library', parameters: [['session_preload_libraries', 'auto_explain']] },
  { name: 'a local library', parameters: [['local_preload_libraries', 'x']] },
  { name: 'strings with backslashes', parameters: [['standard_conforming_strings', 'off']] },
  { name: 'SJIS', parameters: [['client_encoding', 'SJIS']] },
  { name: 'GBK', parameters: [['client_encoding', 'gbk']] },
  { name: 'backslash_quote', parameters: [['backslash_quote', 'on']] },
  { name: 'a path', parameters: [['search_path', 'shadow,pg_catalog']] },
  { name: 'row security', parameters: [['row_security', 'off']] },
  { name: 'a log of statements', parameters: [['log_statement', 'all']] },
  { name: 'another user', parameters: [['user', 'rw']] },
  { name: 'another database', parameters: [['database', 'template1']] },
  { name: 'protocol 3.2', parameters: [], version: 196610 },
  { name: 'protocol 3.9999', parameters: [], version: 196608 + 9999 },
  { name: 'protocol options', parameters: [['_pq_.anything', 'on']] },
  { name: 'protocol 2', parameters: [], version: 131072 },
  { name: 'protocol 4', parameters: [], version: 262144 },
  { name: 'a name with nothing', parameters: [['', 'x']] },
];
