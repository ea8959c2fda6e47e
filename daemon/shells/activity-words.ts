/**
 * What people call each action of the activity log (spec §14). The log keeps the action's own word;
 * shells show these.
 */

import type { ActivityAction } from '../activity.ts';

type OwnCategory = 'auth' | 'access' | 'admin';
type ClosedAction = Extract<ActivityAction, { readonly category: OwnCategory }>['action'];

const closed: Readonly<Record<ClosedAction, string>> = {
  authenticate: 'Sign in',
  exchange: 'Collect a token',
  shell: 'Connect a shell',
  'pairing.begin': 'Ask to be paired',
  'pairing.decide': 'Answer a pairing',
  'approval.ask': 'Ask a question',
  'approval.decide': 'Answer a question',
  request: 'Ask for a change',
  increase: 'Give more access',
  'daemon.start': 'Start Sallyport',
  'daemon.stop': 'Stop Sallyport',
  'port.taken': 'Port taken by another program',
  pause: 'Pause',
  resume: 'Resume',
  'token.mint': 'Make a token',
  'token.edit': 'Change a token',
  'token.revoke': 'Revoke a token',
  'token.delete': 'Delete a token',
  'box.add': 'Make a box',
  'box.revoke': 'Revoke a box',
  'connection.add': 'Add a connection',
  'connection.change': 'Change a connection',
  'connection.delete': 'Remove a connection',
  'connection.test': 'Test a connection',
  'connection.trust': 'Trust the server of a connection',
  'connection.role': 'Make a role',
  'connection.restore': 'Restore a connection',
  'passphrase.set': 'Choose the passphrase',
  'passphrase.clear': 'Clear the passphrase',
  'passphrase.off': 'Turn off the passphrase',
  'passphrase.touchId': 'Let Touch ID confirm',
  'passphrase.reset': 'Reset the passphrase',
  'passphrase.confirm': 'Confirm who chose the passphrase',
  'setting.change': 'Change a setting',
  'demo.create': 'Make the demo',
  'history.clear': 'Delete the history',
  'request.open': 'Open a question',
  'request.answer': 'Answer a question',
  'access.state': 'Note what access there is',
  'activity.pruned': 'Old rows removed',
  'activity.adopted': 'Rows of a crash taken over',
  'activity.lost': 'Rows lost',
  'activity.truncated': 'Log cut short',
  'activity.older_copy': 'Older copy of the log',
  'activity.older_secrets': 'Older copy of the secrets',
  'activity.last_row_changed': 'Last row changed',
  'activity.foreign_rows': 'Rows of another log',
  'activity.key_missing': 'Key of the log missing',
  'activity.head_missing': 'Head of the log missing',
};

/** The titles that the tools themselves have. */
const tools: Readonly<Record<string, string>> = {
  confirm_destructive_operation: 'Run a destructive statement',
  describe_table: 'Describe tables',
  execute_query: 'Run a query',
  export_data: 'Export to a file',
  fetch_rows: 'Get more rows of a result',
  list_connections: 'List connections',
  list_tables: 'List or search tables',
  preview_write: 'Preview a write',
  search_query_history: 'Search earlier statements',
};

const actionTitles: ReadonlyMap<string, string> = new Map([...Object.entries(closed), ...Object.entries(tools)]);

/**
 * A word that nobody has written down, as of a resource, stands with blanks
 * for its marks.
 */
export function actionWords(action: string): string {
  return actionTitles.get(action) ?? plain(action);
}

/** A reason begins with the kind of the refusal, or with the command that was refused. */
const kind = /^(?:[a-z]+(?:[._][a-zA-Z]+)+|denied|timeout|unsupported|cancelled)(?:: |$)/;

/** What stands behind that word alone, or the word in plain English where nothing does. */
export function reasonWords(reason: string): string {
  const [first = ''] = kind.exec(reason) ?? [];
  return first === '' ? reason : plain(reason.slice(first.length) || first);
}

function plain(text: string): string {
  const isWord = /^[\w.]+$/.test(text);
  const shown = isWord ? text.replace(/[._]+/g, ' ').trim() : text;
  return shown.charAt(0).toUpperCase() + shown.slice(1);
}
