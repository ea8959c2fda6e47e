/**
 * The store's migrations in order, in SQL. Their number is the store's version (`user_version`).
 */

interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  // The store's identity, and the connections without passwords. Beside id, name and revision a
  // record is JSON and never searched.
  {
    name: '0001-connections',
    statements: [
      'create table `store` (`key` varchar(255), `value` text not null, primary key (`key`))',
      'create table `connections` (`id` char(36), `name` text not null, `revision` integer not null, `record` text not null, primary key (`id`))',
    ],
  },
  // The activity log's chain with a sealed copy of its head, and the query history with its
  // full-text index.
  {
    name: '0002-activity-and-history',
    statements: [
      `create table activity (
        number integer primary key,
        time integer not null,
        kind text not null,
        attempt integer,
        category text not null,
        action text not null,
        outcome text,
        principal text,
        token_name text,
        client text,
        connection_id text,
        connection_name text,
        statement_hash blob,
        rows integer,
        duration_milliseconds real,
        reason text,
        request_id text,
        count integer not null,
        previous blob,
        mac blob not null
      )`,
      'create index activity_by_time on activity (time)',
      'create index activity_by_category on activity (category, time)',
      // With the category in them, a filter by both reads no rows of another category.
      'create index activity_by_token on activity (token_name, time, category) where token_name is not null',
      'create index activity_by_principal on activity (principal, time, category) where principal is not null',
      'create index activity_by_attempt on activity (attempt) where attempt is not null',
      `create table activity_head (
        id integer primary key check (id = 1),
        head text not null,
        seal blob not null
      )`,
      `create table history (
        id integer primary key,
        time integer not null,
        connection_id text not null,
        connection_name text not null,
        principal text not null,
        token_name text not null,
        client text,
        class text not null,
        outcome text not null,
        rows integer,
        duration_milliseconds real,
        kept_bytes integer not null,
        is_cut integer not null,
        statement_hash blob not null,
        statement text
      )`,
      'create index history_by_principal on history (principal, time, connection_id)',
      'create index history_by_time on history (time, connection_id)',
      // Contentless: the text is in `history` alone. `scope` holds one word for the principal and
      // one for the connection, so a search among millions meets only what the asker may see.
      `create virtual table history_search using fts5 (
        statement, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      )`,
      `create table history_size (
        id integer primary key check (id = 1),
        kept_bytes integer not null
      )`,
      'insert into history_size values (1, 0)',
    ],
  },
  // Settings as JSON; last uses of tokens; hashes of bridge tokens that may still be presented.
  // Times in milliseconds since 1970.
  {
    name: '0003-settings-and-token-uses',
    statements: [
      'create table `settings` (`key` varchar(255), `value` text not null, primary key (`key`))',
      'create table `token_uses` (`token_id` char(36), `last_used_at` integer not null, primary key (`token_id`))',
      'create table `bridge_tokens` (`hash` varchar(255), `issued_at` integer not null, primary key (`hash`))',
    ],
  },
  // Which tokens exist and which have ended (ISO 8601): an older copy of the secrets must not bring
  // one back. `is_deleted` is 1 until its record is out of the secret store, too.
  {
    name: '0004-tokens',
    statements: [
      "create table `tokens` (`id` char(36), `revoked_at` text, `is_deleted` integer not null default '0', primary key (`id`))",
    ],
  },
  // Repeated texts of the activity log, each once; new rows refer to them by number. Older rows
  // keep their texts, and all keep their MACs, which cover what a row says and not how it is
  // stored.
  {
    name: '0005-activity-texts',
    statements: [
      `create table activity_texts (
    id integer primary key,
    epoch integer not null,
    text text not null
  )`,
      'create index activity_texts_by_text on activity_texts (text, epoch)',
    ],
  },
  // Smaller rows in the activity log: a token's name and id share one text, and the index by
  // category replaces the one by time. Older rows stay as they are.
  {
    name: '0006-activity-in-fewer-bytes',
    statements: [
      // The id of the token that the text names; null for other texts.
      'alter table activity_texts add column principal text',
      'create index activity_texts_by_principal on activity_texts (principal) where principal is not null',
      'drop index if exists activity_by_time',
    ],
  },
  // When a connection was removed (it is kept for some days), milliseconds since 1970; null while
  // it is in use.
  { name: '0007-removed-connections', statements: ['alter table connections add column removed_at integer'] },
  // How many rows of a table each token changed, by the minute, so a restart doesn't reset its
  // hour.
  {
    name: '0008-changed-rows',
    statements: [
      // The minute comes first: each added row deletes old ones.
      'create table changed_rows (minute integer, account text, place text, rows integer not null, primary key (minute, account, place)) strict, without rowid',
    ],
  },
  // What each place has shown at sign-ins, so that nobody can take a server's place.
  {
    name: '0009-known-servers',
    statements: ['create table known_servers (place text primary key, record text not null) strict, without rowid'],
  },
];
