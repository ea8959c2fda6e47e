/**
 * What a proved shell is answered and told (spec §11), as both sides type it;
 * daemon/shells/commands.ts types what it may ask. Only types, of the shapes in
 * daemon/shells/messages, which are zod's: a shell loads none of it. No password, salt or hash has
 * a place there.
 */

export type * from '../daemon/shells/messages/activity.ts';
export type * from '../daemon/shells/messages/approvals.ts';
export type * from '../daemon/shells/messages/boxes.ts';
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
