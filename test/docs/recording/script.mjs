/**
 * What the recording in README.md shows, in order. `type` is typed into a shell, and the next step
 * waits for `until` on the screen; `ask` is what an AI client asks meanwhile; `press` is one key,
 * by tmux's name; `unseen` is a line that no screen shows. `hold` is how long a reader then looks;
 * `still` marks the screen for readers without motion.
 */

export const columns = 98;
export const rows = 24;

const prompt = /\$ $/;
/** The passphrase of this recording's home, which is removed afterwards. */
export const passphrase = 'correct horse battery';

export const script = [
  { type: '# Save a database once; here, a demo shop.', until: prompt, holdMilliseconds: 200 },
  { type: 'sallyport demo', until: prompt, holdMilliseconds: 600 },
  { type: 'sallyport connections list', until: prompt, holdMilliseconds: 1500 },
  { type: '# Let your AI client use it. It never sees a password.', until: prompt, holdMilliseconds: 200 },
  { type: 'sallyport connect claude-code --write', until: prompt, holdMilliseconds: 1300 },
  { type: '# Watch: it may read here, and nothing else.', until: prompt, holdMilliseconds: 200 },
  { type: 'sallyport activity --follow --category query', until: 'RESULT', holdMilliseconds: 600 },
  { ask: 'SELECT count(*) FROM orders', tool: 'execute_query', until: 'success', holdMilliseconds: 1500 },
  { ask: 'DELETE FROM payments', tool: 'execute_query', until: 'denied', holdMilliseconds: 3000, still: true },
  { press: 'C-c', until: prompt, holdMilliseconds: 400 },
  { type: '# It may write for an hour. What destroys data still waits for you.', until: prompt, holdMilliseconds: 200 },
  {
    type: 'sallyport connections set Demo --external-clients read-write --for 1h',
    until: 'to allow this:',
    holdMilliseconds: 2500,
  },
  { unseen: passphrase, until: prompt, holdMilliseconds: 900 },
  { type: 'sallyport allow --follow', until: 'Nothing waits', holdMilliseconds: 700 },
  {
    ask: 'DELETE FROM payments',
    tool: 'confirm_destructive_operation',
    until: 'Deny',
    holdMilliseconds: 4000,
  },
];

export function typedLines(steps) {
  return steps.flatMap(({ type }) => type ?? []);
}
