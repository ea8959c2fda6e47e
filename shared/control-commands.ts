/**
 * The types of the daemon's answers and notifications to a proved shell (spec §11), for both sides;
 * daemon/shells/commands.ts has those of the requests. They come from the zod shapes in
 * daemon/shells/messages, of which a shell gets the types alone: it loads no zod. They have no
 * place for a password, salt or hash.
 */

export type * from '../daemon/shells/messages/activity.ts';
export type * from '../daemon/shells/messages/ask.ts';
export type * from '../daemon/shells/messages/boxes.ts';
export type * from '../daemon/shells/messages/clients.ts';
export type * from '../daemon/shells/messages/connections.ts';
export type * from '../daemon/shells/messages/desk.ts';
export type * from '../daemon/shells/messages/history.ts';
export type * from '../daemon/shells/messages/passphrase.ts';
export type * from '../daemon/shells/messages/policy.ts';
export type * from '../daemon/shells/messages/proof.ts';
export type * from '../daemon/shells/messages/pushed.ts';
export type * from '../daemon/shells/messages/settings.ts';
export type * from '../daemon/shells/messages/snippets.ts';
export type * from '../daemon/shells/messages/statements.ts';
export type * from '../daemon/shells/messages/status.ts';
export type * from '../daemon/shells/messages/tokens.ts';
export type * from '../daemon/shells/messages/words.ts';
