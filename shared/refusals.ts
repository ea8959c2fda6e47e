/**
 * Why the daemon refuses a shell's request (spec §11): the code that a program reads, with the
 * values that stand in the sentence beside it.
 */

/** Each code's values; null for a code without any. */
export interface Refusals {
  /** The parameters as a whole; the JSON-RPC code is -32602, as of the next four. */
  invalid_parameters: null;
  /** `endpoint.host` */
  invalid_field: { readonly field: string };
  unknown_setting: { readonly setting: string };
  /** It doesn't fit another setting. */
  setting_conflict: { readonly setting: string };
  /** Too short, too long, or one that anybody would guess. */
  passphrase_not_accepted: null;

  /** Null: what was asked for may hold a password, so it isn't repeated. */
  unknown_connection: { readonly connection: string | null };
  /** AI clients may not read it unasked. */
  connection_hidden: { readonly connection: string };
  name_taken: { readonly connection: string };
  /** Nothing of that name can be restored. Null as above. */
  not_removed: { readonly connection: string | null };
  several_removed: { readonly connection: string };
  /** Null: it may be a token itself. */
  unknown_token: { readonly token: string | null };
  token_ended: { readonly token: string };
  unknown_box: { readonly box: string };
  box_exists: { readonly box: string };
  box_not_made: { readonly box: string };
  /** The file of an SQLite connection can't be used or made. */
  file_refused: { readonly path: string };
  /** What was pasted is no connection, or a file is no whole statements. */
  unreadable_text: null;
  /** The setting could not be put into force. */
  setting_not_applied: { readonly setting: string };
  role_not_made: null;
  /** A server's own refusal, or no server. */
  database_failed: { readonly connection: string };
  /** Something is otherwise than when it was shown or confirmed. */
  changed_since: null;

  /** May be asked again with a confirmation; `data.confirm` says which. */
  needs_confirmation: null;
  /** The same, after a wrong passphrase. */
  wrong_passphrase: null;
  /** Too many wrong ones. */
  passphrase_waits: { readonly seconds: number };
  passphrase_not_set: null;
  passphrase_is_off: null;
  /** Only the passphrase confirms it. */
  passphrase_alone: null;
  no_terminal: null;
  home_in_use: null;
  /** Only Sallyport.app may ask it. */
  app_alone: null;
  app_away: null;
  several_apps: null;
  /** In Sallyport.app. */
  denied: null;
  nobody_answered: null;
  asker_gone: null;
  /** One of the same shell waits already. */
  one_waits: null;
  too_many_wait: null;
  /** The last one was not approved a moment ago. */
  quiet: { readonly seconds: number };

  /** What is answered no longer waits. */
  gone: null;
  /** Nobody has seen yet what it takes. */
  not_opened: null;
  /** Its client may not run it, whatever is answered. */
  owner_must_run: null;
  nothing_to_run: null;
  /** A pairing's link. */
  link_refused: { readonly fault: string };
  server_not_started: null;

  unknown_command: null;
  unproved: null;
  other_version: null;
  too_many_requests: null;
  too_many_questions: null;
  too_large: null;
  secret_store: null;
  /** The disk is full, or a file can't be written. Of a policy file a part may have applied. */
  storage_failed: null;
  /** What takes access away counts in this run, and could not be stored. */
  not_kept: null;
  /** The daemon's log says more under this request. */
  internal: { readonly request: string };
}

export type RefusalCode = keyof Refusals;

/** What a code's values are, as the last arguments of a function. */
export type RefusalValues<Code extends RefusalCode> = Refusals[Code] extends null
  ? readonly []
  : readonly [values: Refusals[Code]];

/** In `data` of every refusal of the control socket. */
export interface RefusalData {
  readonly code: RefusalCode;
  readonly values?: NonNullable<Refusals[RefusalCode]>;
  /** The sentence in parts, if values stand in it: a shell can say it in its own language. */
  readonly parts?: readonly { readonly code: string; readonly values: readonly string[] }[];
}
