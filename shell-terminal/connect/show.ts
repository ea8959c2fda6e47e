/** Reports what `sallyport connect --write` did, for a person or a script. */

import type { ClientConfig, ClientEntry } from '../../shared/client-configs.ts';
import { namedHome } from '../../shared/locations.ts';
import type { OtherServer } from '../past/entries.ts';
import { adviceOn, serverForScripts } from '../past/told.ts';
import { printJson, printNotes, say, type Terminal } from '../terminal.ts';
import { adviceFor } from './advice.ts';
import { isSwitchedOff, namesBeside, toldBeside } from './beside.ts';
import type { Removal } from './remove-entry.ts';
import type { WrittenEntry } from './write-entry.ts';

interface Around {
  /** What else the client reaches databases by. */
  readonly past: readonly OtherServer[];
  /** Why the client doesn't start the entry, in sentences. */
  readonly shutOut: readonly string[];
}

export function printWritten(
  terminal: Terminal,
  { client, title, entry: ours }: ClientConfig,
  written: WrittenEntry,
  { past, shutOut }: Around,
  json: boolean,
): void {
  const home = namedHome(terminal.environment);
  const { change, file, backup, madeFolder } = written;
  const entry = withoutArguments(written, ours);
  const { next } = adviceFor(client);
  const was = startedBefore(written);
  if (json) {
    const found = { alsoSets: namesBeside(entry, home), isSwitchedOff: isSwitchedOff(entry) };
    const others = past.map(serverForScripts);
    printJson(terminal, {
      client,
      title,
      change,
      file,
      was,
      backup,
      madeFolder,
      ...found,
      next,
      shutOut,
      past: others,
    });
    return;
  }
  say(terminal, sentenceFor(title, written, was));
  if (backup !== null) say(terminal, `The old file is kept as ${backup}`);
  if (change !== 'none') say(terminal, next);
  printNotes(terminal, [
    ...notesOn(terminal, title, written, ours),
    ...shutOut,
    // On a terminal each is asked about.
    ...(terminal.stdin.isTTY ? [] : past.map(server => adviceOn(server, terminal.userHome))),
  ]);
}

/** For several clients: one line each, with what to do in it. */
export function printInOneLine(terminal: Terminal, config: ClientConfig, written: WrittenEntry): void {
  const { client, title } = config;
  const did = { none: 'had Sallyport already.', created: 'added.', added: 'added.', updated: 'put right.' };
  say(terminal, `${title}: ${did[written.change]}${written.change === 'none' ? '' : ` ${adviceFor(client).next}`}`);
  printNotes(terminal, notesOn(terminal, title, written, config.entry));
}

/** Written or found, the arguments are those of Sallyport's own entry, so they aren't beside it. */
function withoutArguments({ entry }: WrittenEntry, ours: ClientEntry): Readonly<Record<string, unknown>> {
  const { args, ...rest } = entry ?? {};
  return ours.value.args === undefined && args !== undefined ? { ...rest, args } : rest;
}

function notesOn(terminal: Terminal, title: string, written: WrittenEntry, ours: ClientEntry): readonly string[] {
  const { madeFolder } = written;
  const entry = withoutArguments(written, ours);
  return [
    ...(madeFolder === null ? [] : [`${madeFolder} was not there and was made; is ${title} installed?`]),
    ...[toldBeside(entry, namedHome(terminal.environment)) ?? []].flat(),
    ...(isSwitchedOff(entry) ? [`The entry is switched off in the file; switch it on in ${title}.`] : []),
  ];
}

function sentenceFor(title: string, written: WrittenEntry, was: string | null): string {
  const { change, file } = written;
  switch (change) {
    case 'none':
      return `${title} has Sallyport already; nothing was changed in ${file}`;
    case 'created':
      return `${title} has Sallyport now; made ${file}`;
    case 'added':
      return `${title} has Sallyport now; added to ${file}`;
    case 'updated':
      return was === null
        ? `${title} had Sallyport already; its ${Object.keys(written.was).join(' and ')} changed in ${file}`
        : `${title} started ${was} before, and starts this install's bridge now; changed in ${file}`;
  }
}

/** The command that was replaced; null if it stayed. */
function startedBefore({ was }: WrittenEntry): string | null {
  const listed = was.command ?? was.cmd;
  const command = Array.isArray(listed) ? listed[0] : listed;
  return typeof command === 'string' ? command : null;
}

/** Reports what `sallyport connect --remove` did. */
export function printRemoved(
  terminal: Terminal,
  { client, title }: ClientConfig,
  { file, backup }: Removal,
  json: boolean,
): void {
  if (json) {
    printJson(terminal, { client, title, change: backup === null ? 'none' : 'removed', file, backup });
    return;
  }
  if (backup === null) {
    say(terminal, `${title} has no entry for Sallyport; nothing was changed in ${file}`);
    return;
  }
  say(terminal, `Removed Sallyport from ${title}: ${file}`);
  say(terminal, `The old file is kept as ${backup}`);
  say(terminal, `Restart ${title}.`);
}
