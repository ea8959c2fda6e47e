/**
 * The store's tables, as this version makes and reads them. There is one shape: a store of another
 * version is refused (store.ts).
 */

/** SQL, in order. */
export const createStore: readonly string[] = [
  // The store's identity, and what is kept by key.
  'create table store (key text primary key, value text not null)',
  // Without passwords. Beside id, name and revision a record is JSON and never searched. A removed
  // one is kept for some days: when it was removed, in milliseconds since 1970; null while it is in
  // use.
  'create table connections (id text primary key, name text not null, revision integer not null, record text not null, removed_at integer)',
  // The activity log's chain, and a sealed copy of its head.
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
    statement_hash text,
    rows integer,
    duration_milliseconds real,
    reason text,
    standing text,
    request_id text,
    count integer not null,
    previous blob,
    mac blob not null
  )`,
  'create index activity_by_category on activity (category, time)',
  // With the category in them, a filter by both reads no rows of another category.
  'create index activity_by_token on activity (token_name, time, category) where token_name is not null',
  'create index activity_by_principal on activity (principal, time, category) where principal is not null',
  'create index activity_by_standing on activity (number) where standing is not null',
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
    statement text,
    attempt integer
  )`,
  'create index history_by_attempt on history (attempt) where attempt is not null',
  'create index history_by_principal on history (principal, time, connection_id)',
  'create index history_by_time on history (time, connection_id)',
  // Contentless: the text is in `history` alone. `scope` holds one word for the principal and one
  // for the connection, so a search among millions meets only what the asker may see.
  `create virtual table history_search using fts5 (
    statement, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `create table history_size (
    id integer primary key check (id = 1),
    kept_bytes integer not null
  )`,
  'insert into history_size values (1, 0)',
  // Settings as JSON; last uses of tokens; hashes of bridge tokens that may still be presented.
  // Times in milliseconds since 1970.
  'create table settings (key text primary key, value text not null)',
  'create table token_uses (token_id text primary key, last_used_at integer not null)',
  'create table bridge_tokens (hash text primary key, issued_at integer not null)',
  // Which tokens exist and which have ended (ISO 8601): an older copy of the secrets must not bring
  // one back. `is_deleted` is 1 until its record is out of the secret store, too.
  'create table tokens (id text primary key, revoked_at text, is_deleted integer not null default 0)',
  // How many rows of a table each token changed, by the minute, so a restart doesn't reset its
  // hour. The minute comes first: each added row deletes old ones.
  'create table changed_rows (minute integer, account text, place text, rows integer not null, primary key (minute, account, place)) strict, without rowid',
  // What each place has shown at sign-ins, so that nobody can take a server's place.
  'create table known_servers (place text primary key, record text not null) strict, without rowid',
];
