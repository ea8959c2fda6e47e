/**
 * The daemon as a LaunchAgent of this user, on a Mac without the app, which brings its own (spec
 * §16).
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { agentLabel, commandIn, launchAgent } from './launch-agent.ts';
import { putFile, takeAway, textIn } from './written-file.ts';

const timeout = 30_000;

interface InstalledAgent {
  readonly file: string;
  /** Null if launchd accepted it; otherwise what it said. */
  readonly problem: string | null;
}

/** @param command as `daemonCommand` gives it. */
export async function installAgent(userHome: string, command: readonly string[]): Promise<InstalledAgent> {
  const file = agentFile(userHome);
  const isChanged = putFile(file, launchAgent(command, logOf(userHome)));
  const isLoaded = (await launchctl('print', target())) === null;
  if (isLoaded && !isChanged) return { file, problem: await launchctl('kickstart', target()) };
  if (isLoaded) await launchctl('bootout', target());
  return { file, problem: await launchctl('bootstrap', domain(), file) };
}

/** @returns the removed file; null if there was none. */
export async function uninstallAgent(userHome: string): Promise<string | null> {
  const file = agentFile(userHome);
  if (textIn(file) === null) return null;
  await launchctl('bootout', target());
  takeAway(file, join(userHome, 'Library'));
  rmSync(logOf(userHome), { force: true });
  return file;
}

/** The command that starts it at login; empty if nothing does. */
export function agentCommand(userHome: string): readonly string[] {
  return commandIn(textIn(agentFile(userHome)) ?? '');
}

export function agentFile(userHome: string): string {
  return join(userHome, 'Library', 'LaunchAgents', `${agentLabel}.plist`);
}

function logOf(userHome: string): string {
  return join(userHome, 'Library', 'Logs', 'sallyportd.log');
}

function domain(): string {
  return `gui/${process.getuid?.()}`;
}

function target(): string {
  return `${domain()}/${agentLabel}`;
}

async function launchctl(...words: readonly string[]): Promise<string | null> {
  return (await runProgram('/bin/launchctl', words, { timeout })).problem;
}
