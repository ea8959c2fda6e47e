/** What a person should know about a client, before and after its file has the entry. */

interface Advice {
  /** The client's required version, if that matters. */
  readonly needs?: string;
  /** Shown beside the file's place. */
  readonly also?: string;
  readonly next: string;
}

const advice: Readonly<Record<string, Advice>> = {
  'claude-desktop': { next: 'Quit Claude Desktop and open it again.' },
  'claude-code': {
    also: 'That is for the project you are in; `--scope user` behind `add` makes it one for all.',
    next: 'Start a new session of Claude Code; /mcp shows it there.',
  },
  cursor: { next: 'Restart Cursor; its settings show it under MCP.' },
  vscode: {
    needs: 'VS Code 1.99 or later',
    also: 'For one workspace it goes into .vscode/mcp.json there (`--file .vscode/mcp.json`), the only place up to 1.101.',
    next: 'Restart VS Code; its command `MCP: List Servers` shows it.',
  },
  continue: { next: 'Restart the editor that Continue is in.' },
  zed: { next: 'Restart Zed; the settings of its agent panel show it.' },
  goose: { next: 'Start a new session of Goose.' },
  windsurf: { next: 'Restart Windsurf; its settings show it under Cascade.' },
  codex: { next: 'Start a new session of Codex; /mcp shows it there.' },
  gemini: { next: 'Start a new session of Gemini CLI; /mcp shows it there.' },
  jetbrains: { next: 'Restart the IDE; its settings show it under Junie > MCP Settings.' },
  opencode: { next: 'Start a new session of opencode; `opencode mcp list` shows it.' },
  amp: { next: 'Start a new session of Amp; `amp mcp list` shows it.' },
  lmstudio: { next: 'LM Studio shows it under Program > Install.' },
  cline: { next: 'Restart the editor that Cline is in; Cline shows it under MCP Servers.' },
};

export function adviceFor(client: string): Advice {
  return advice[client] ?? { next: 'Restart the client.' };
}
