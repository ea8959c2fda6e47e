/** All commands of `sallyport`, grouped by purpose, in the order of the help. */

import type { CommandGroup, TerminalCommand } from './command.ts';
import { activityCommand, verifyActivityCommand } from './commands/activity.ts';
import { allowCommand, allowNoCommand, allowYesCommand } from './commands/allow.ts';
import { addBoxCommand, listBoxesCommand, revokeBoxCommand } from './commands/boxes.ts';
import { runInBoxCommand } from './commands/boxes-run.ts';
import { classifyCommand } from './commands/classify.ts';
import { connectCommand } from './commands/connect.ts';
import { undoConnectCommand } from './commands/connect-undo.ts';
import {
  demoCommand,
  listConnectionsCommand,
  showConnectionCommand,
  testConnectionCommand,
  trustConnectionCommand,
} from './commands/connections.ts';
import { removeConnectionCommand, restoreConnectionCommand } from './commands/connections-removed.ts';
import { roleCommand } from './commands/connections-role.ts';
import { addConnectionCommand, setConnectionCommand } from './commands/connections-save.ts';
import { doctorCommand } from './commands/doctor.ts';
import { clearHistoryCommand, historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { logsCommand } from './commands/logs.ts';
import { openCommand } from './commands/open.ts';
import {
  confirmPassphraseCommand,
  offPassphraseCommand,
  resetPassphraseCommand,
  setPassphraseCommand,
} from './commands/passphrase.ts';
import { applyPolicyCommand, showPolicyCommand } from './commands/policy.ts';
import { proveCommand } from './commands/prove.ts';
import { queryCommand } from './commands/query.ts';
import { runCommand } from './commands/run.ts';
import { pauseCommand, restartCommand, resumeCommand, startCommand, stopCommand } from './commands/server.ts';
import { installServiceCommand, serviceStatusCommand, uninstallServiceCommand } from './commands/service.ts';
import { getSettingCommand, listSettingsCommand, resetSettingCommand, setSettingCommand } from './commands/settings.ts';
import { importCommand, setupCommand } from './commands/setup.ts';
import { statusCommand } from './commands/status.ts';
import { deleteTokenCommand, editTokenCommand, mintTokenCommand, revokeTokenCommand } from './commands/tokens.ts';
import { listTokensCommand, showTokenCommand } from './commands/tokens-list.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { wireCommand } from './commands/wire.ts';
import { completionCommand } from './completion/command.ts';
import { manualCommandOf } from './manual.ts';

const manualCommand = manualCommandOf(() => commandGroups);

export const commandGroups: readonly CommandGroup<TerminalCommand>[] = [
  {
    title: 'Get started',
    commands: [setupCommand, demoCommand, connectCommand, undoConnectCommand],
  },
  {
    title: 'Connections',
    commands: [
      listConnectionsCommand,
      showConnectionCommand,
      addConnectionCommand,
      importCommand,
      setConnectionCommand,
      testConnectionCommand,
      trustConnectionCommand,
      roleCommand,
      removeConnectionCommand,
      restoreConnectionCommand,
      applyPolicyCommand,
      showPolicyCommand,
    ],
  },
  {
    title: 'What clients ask and did',
    commands: [
      allowCommand,
      allowYesCommand,
      allowNoCommand,
      historyCommand,
      clearHistoryCommand,
      activityCommand,
      verifyActivityCommand,
      pauseCommand,
      resumeCommand,
    ],
  },
  {
    title: 'Tokens of HTTP clients',
    commands: [
      listTokensCommand,
      showTokenCommand,
      mintTokenCommand,
      editTokenCommand,
      revokeTokenCommand,
      deleteTokenCommand,
      openCommand,
    ],
  },
  {
    title: 'Agents in containers and sandboxes',
    commands: [listBoxesCommand, addBoxCommand, runInBoxCommand, revokeBoxCommand, wireCommand],
  },
  {
    title: 'Try a statement',
    commands: [queryCommand, runCommand, classifyCommand, proveCommand],
  },
  {
    title: 'Run Sallyport',
    commands: [
      startCommand,
      stopCommand,
      restartCommand,
      statusCommand,
      doctorCommand,
      logsCommand,
      installServiceCommand,
      serviceStatusCommand,
      uninstallServiceCommand,
      upgradeCommand,
      uninstallCommand,
    ],
  },
  {
    title: 'Settings',
    commands: [
      listSettingsCommand,
      getSettingCommand,
      setSettingCommand,
      resetSettingCommand,
      setPassphraseCommand,
      confirmPassphraseCommand,
      resetPassphraseCommand,
      offPassphraseCommand,
      completionCommand,
      manualCommand,
      initCommand,
    ],
  },
];

export const commands: readonly TerminalCommand[] = commandGroups.flatMap(group => group.commands);
