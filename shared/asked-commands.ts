/**
 * The commands that a proved shell may send to the daemon (spec §11), as a shell types them: only
 * the types of the daemon's declarations.
 */

export type { CommandParams, ControlCommands, ControlMethod } from '../daemon/shells/commands.ts';
