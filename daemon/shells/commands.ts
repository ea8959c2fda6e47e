/**
 * The closed list of commands for a proved shell (spec §11). A command outside the list does not
 * exist. Opens and loads nothing.
 */

import type { AnyCommand } from './command.ts';
import { activityFollow, activityQuery, activityVerify } from './commands/activity.ts';
import { boxesAdd, boxesList, boxesRevoke } from './commands/boxes.ts';
import { changesFollow } from './commands/changes.ts';
import { clientsList } from './commands/clients.ts';
import { connectionsList, connectionsShow, connectionsTest } from './commands/connections.ts';
import { connectionsForm } from './commands/connections-form.ts';
import { connectionsProve } from './commands/connections-prove.ts';
import { connectionsDelete, connectionsRemoved, connectionsRestore } from './commands/connections-removed.ts';
import { connectionsRole } from './commands/connections-role.ts';
import { connectionsSave } from './commands/connections-save.ts';
import { connectionsTrust } from './commands/connections-trust.ts';
import { connectionsTry } from './commands/connections-try.ts';
import { demoCreate } from './commands/demo.ts';
import { deskAttach, deskList, deskOpen } from './commands/desk.ts';
import { deskDecide } from './commands/desk-decide.ts';
import { historyClear, historyQuery } from './commands/history.ts';
import { pairingBegin } from './commands/pairing.ts';
import {
  passphraseConfirm,
  passphraseOff,
  passphraseReset,
  passphraseSet,
  passphraseTouchId,
} from './commands/passphrase.ts';
import { policyApply, policyCompare, policyShow } from './commands/policy.ts';
import { pause, resume, status, stop } from './commands/server.ts';
import { settingsGet, settingsList, settingsSet } from './commands/settings.ts';
import { snippetsList } from './commands/snippets.ts';
import { statementsClassify, statementsSplit } from './commands/statements.ts';
import { tokensDelete, tokensEdit, tokensList, tokensMint, tokensRevoke } from './commands/tokens.ts';
import type { Message } from './messages/message.ts';

export const commands = [
  status,
  stop,
  pause,
  resume,
  settingsList,
  settingsGet,
  settingsSet,
  connectionsList,
  connectionsShow,
  connectionsSave,
  connectionsForm,
  connectionsDelete,
  connectionsRemoved,
  connectionsRestore,
  connectionsTest,
  connectionsTrust,
  connectionsTry,
  connectionsRole,
  connectionsProve,
  policyShow,
  policyCompare,
  policyApply,
  tokensList,
  tokensMint,
  tokensEdit,
  tokensRevoke,
  tokensDelete,
  boxesList,
  boxesAdd,
  boxesRevoke,
  deskList,
  deskOpen,
  deskAttach,
  deskDecide,
  pairingBegin,
  passphraseSet,
  passphraseOff,
  passphraseReset,
  passphraseConfirm,
  passphraseTouchId,
  clientsList,
  snippetsList,
  changesFollow,
  statementsClassify,
  statementsSplit,
  demoCreate,
  historyQuery,
  historyClear,
  activityQuery,
  activityVerify,
  activityFollow,
] as const satisfies readonly AnyCommand[];

type Declared = (typeof commands)[number];

/** The commands' types for both sides: a shell imports only this type and loads no code. */
export type ControlCommands = {
  readonly [Each in Declared as Each['name']]: {
    readonly params: Message<Each['shape']>;
    readonly result: Message<Each['result']>;
  };
};
export type ControlMethod = keyof ControlCommands;
export type CommandParams<Method extends ControlMethod> = ControlCommands[Method]['params'];
