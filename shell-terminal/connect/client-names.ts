/** What people call a client, and which one they mean. */

const otherNames: Readonly<Record<string, string>> = {
  // Who types this sits in a terminal: there `claude` is the command of Claude Code.
  ...{ claude: 'claude-code', 'claude-app': 'claude-desktop' },
  ...{ code: 'vscode', 'vs-code': 'vscode', copilot: 'vscode', 'visual-studio-code': 'vscode' },
  ...{ 'codex-cli': 'codex', 'gemini-cli': 'gemini', 'lm-studio': 'lmstudio', 'open-code': 'opencode' },
  ...{ junie: 'jetbrains', intellij: 'jetbrains', 'jetbrains-junie': 'jetbrains' },
};

/** @param typed in any case, with blanks or underlines where ours has hyphens. */
export function clientMeant(typed: string): string {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return otherNames[name] ?? name;
}
