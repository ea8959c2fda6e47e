/**
 * What a proved shell is answered and told (spec §11), as both sides type it; daemon/shells/commands.ts has what it may ask. Only types,
 * in the words of the daemon's records, which never leave it themselves: no password, salt or hash has a place here. Their shapes stand
 * in daemon/shells/messages, and are zod's: a shell loads none of it.
 */

export type * from '../daemon/shells/messages/activity.ts';
export type * from '../daemon/shells/messages/approvals.ts';
export type * from '../daemon/shells/messages/clients.ts';
export type * from '../daemon/shells/messages/confirmations.ts';
export type * from '../daemon/shells/messages/connections.ts';
export type * from '../daemon/shells/messages/history.ts';
export type * from '../daemon/shells/messages/pairing.ts';
export type * from '../daemon/shells/messages/passphrase.ts';
export type * from '../daemon/shells/messages/pushed.ts';
export type * from '../daemon/shells/messages/requests.ts';
export type * from '../daemon/shells/messages/settings.ts';
export type * from '../daemon/shells/messages/snippets.ts';
export type * from '../daemon/shells/messages/statements.ts';
export type * from '../daemon/shells/messages/status.ts';
export type * from '../daemon/shells/messages/tokens.ts';
export type * from '../daemon/shells/messages/words.ts';
