/**
 * What a proved shell may ask of the daemon (spec §11), as a shell types it: the types of the
 * daemon's declarations, and none of them.
 */

export type { Asked, ControlCommands, ControlMethod } from '../daemon/shells/commands.ts';
