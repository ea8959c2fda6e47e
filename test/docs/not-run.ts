/**
 * The documented commands that the check doesn't run, each with the reason, and those whose exit
 * code differs here from a reader's.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './pages.ts';

const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^make [a-z-]+/, 'takes minutes, or changes this machine; .ci/run makes what decides'],
  [
    /^sallyport service (install|uninstall)$/,
    'changes what starts at login; test/journeys/daemon/service.test.ts runs it',
  ],
  [/^loginctl |^journalctl /, "asks the system's own services"],
  [
    /^sallyport boxes (add|run) sandbox |^folder=\$\(sallyport boxes add |^sallyport connect claude-code --box sandbox /,
    'is one recipe with what follows; test/journeys/boxes/recipes.test.ts runs it whole',
  ],
  [/^git pull$/, 'needs a network'],
  [
    /^(?:npm install|npx) .* \.\/build\/sallyport-/,
    'needs a registry; test/install/package.test.ts types what the page says',
  ],
  [/^cp -a ~\/\.local\/share\/sallyport /, 'needs a home in its usual place'],
  [/^sudo |^podman |^docker /, 'needs an account, or a program that is not here; docs/boxes.md says so'],
  [
    /^curl --unix-socket /,
    'is the beginning of a command; test/journeys/boxes/boxes.test.ts speaks HTTP to the socket',
  ],
  [/^socat TCP-LISTEN/, 'stays, and is typed inside a box'],
  [/^security |^open build\/Sallyport\.app$/, 'needs a Mac'],
  [/^export /, 'is for the shell it is typed in'],
  [/^sallyport connections role \S+ --apply$/, 'asks on a terminal; test/journeys/databases/role.test.ts answers it'],
  [
    /^(SALLYPORT_HOME=\S+ )?node --inspect|^NODE_OPTIONS=\S+ (node --inspect|build\/bin\/sallyportd$)/,
    'stays, and waits for a debugger',
  ],
  [
    /^sallyport (setup|connections import)$/,
    'is answered on a terminal; test/journeys/terminal/setup.test.ts answers it',
  ],
  [
    /^sallyport connections set Shop --external-clients read-write --for tonight$/,
    'asks for the owner passphrase on a terminal; test/journeys/approvals/passphrase.test.ts types it',
  ],
  [/^sallyport connect \S+ --wsl$/, 'is typed inside WSL; test/shell-terminal/windows-clients.test.ts runs it'],
  [
    /^sallyport wire /,
    'needs a connection that is there; test/journeys/wire and test/journeys/boxes/wire.test.ts open one',
  ],
  [
    /^sallyport settings set log\.forward /,
    'leads to places of this machine; test/journeys/activity/forwarding.test.ts leads to one of its own',
  ],
  [/^sallyport passphrase set$/, 'is typed on a terminal; test/journeys/approvals/passphrase.test.ts types it'],
  [/^sallyport (allow|activity) --follow\b/, 'stays until Ctrl-C; test/journeys follow both'],
  [/^node test\/extension\/extension\.mjs\b/, 'waits for a person; test/journeys/pairing/pairing.test.ts runs it'],
  [
    /^sallyport open 'sallyport:/,
    'needs the link that another program made; test/journeys/pairing/pairing.test.ts opens it',
  ],
];

/** @returns the reason; null if the command is run. */
export function whyNotRun(command: string): string | null {
  return notRun.find(([pattern]) => pattern.test(command))?.[1] ?? null;
}

/** Exit codes besides 0 that a command may have here. */
export function otherExitCodes(command: string): readonly number[] {
  // The examples' server doesn't exist.
  if (/^sallyport (connections test|connections role Shop$|prove Shop)/.test(command)) return [1];
  // The port is taken if another Sallyport runs.
  return command === 'sallyport doctor' ? [1] : [];
}

/** What a person types when the command asks. */
export function typedInto(command: string): string {
  return command.includes('--password-stdin') ? 'a password\n' : '';
}

const makefile = readFileSync(join(project, 'Makefile'), 'utf8');

/** @returns the targets that a `make` command names and the Makefile doesn't have. */
export function unknownTargets(command: string): readonly string[] {
  const words = command.replace(/'[^']*'|"[^"]*"/g, '').split(/\s+/);
  return words.slice(1).filter(word => !word.includes('=') && !new RegExp(`^${word}:`, 'm').test(makefile));
}
