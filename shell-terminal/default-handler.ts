/**
 * Makes a desktop entry the default for a link's scheme in the user's `mimeapps.list` (XDG MIME
 * applications 1.0.1), and undoes it. Changes only its own line. `xdg-mime` would replace a linked
 * file by a new one, and can't undo.
 */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { edited, lineEndOf, nextLineStart } from './connect/edits.ts';
import { makeFile, ownerOf, replaceContent } from './replace-file.ts';
import { takeAwayIfEmpty } from './service/written-file.ts';
import type { Terminal } from './terminal.ts';
import { readUsersFile } from './users-file.ts';

interface DefaultHandler {
  /** `x-scheme-handler/` and the scheme. */
  readonly mimeType: string;
  /** Its file's name in the applications folder. */
  readonly desktopId: string;
}

const mostTries = 5;

/** @returns null, or a sentence without a full stop: why the list stays as it is. */
export function setDefault(terminal: Terminal, handler: DefaultHandler): string | null {
  return changeList(terminal, text => withDefault(text, handler));
}

/** @returns like `setDefault`. Deletes a list that becomes empty. */
export function forgetDefault(terminal: Terminal, handler: DefaultHandler): string | null {
  const path = listOf(terminal);
  const problem = changeList(terminal, text => withoutDefault(text, handler));
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) takeAwayIfEmpty(path, terminal.userHome);
  return problem;
}

function listOf({ environment, userHome }: Terminal): string {
  return join(environment.XDG_CONFIG_HOME || join(userHome, '.config'), 'mimeapps.list');
}

/** Latin-1 maps each byte to one character and back: others' parts need not be UTF-8. */
function changeList(terminal: Terminal, change: (text: string) => string): string | null {
  const path = listOf(terminal);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = readUsersFile(path);
    if (read.kind === 'refused') return read.why;
    const text = read.kind === 'found' ? read.bytes.toString('latin1') : '';
    const changed = change(text);
    if (changed === text) return null;
    const isDone =
      read.kind === 'found'
        ? replaceContent(read, Buffer.from(changed, 'latin1'), ownerOf(read, false))
        : makeFile(path, changed);
    if (isDone) return null;
  }
  return `${path} is rewritten by another program all the time`;
}

function withDefault(text: string, { mimeType, desktopId }: DefaultHandler): string {
  const end = lineEndOf(text);
  const title = /^\[Default Applications\][ \t\r]*$/m.exec(text);
  if (title === null) {
    const before = text === '' || text.endsWith('\n') ? '' : end;
    return `${text}${before}[Default Applications]${end}${mimeType}=${desktopId}${end}`;
  }
  const start = nextLineStart(text, title.index);
  const next = /^\[/m.exec(text.slice(start));
  const section = text.slice(start, next === null ? undefined : start + next.index);
  // Pattern excused: it starts at a line with our own name, and has no alternatives after that.
  const line = new RegExp(`^${escaped(mimeType)}[ \\t]*=[ \\t]*`, 'm').exec(section);
  if (line === null) {
    const before = text.slice(0, start).endsWith('\n') ? '' : end;
    return edited(text, [{ offset: start, length: 0, content: `${before}${mimeType}=${desktopId}${end}` }]);
  }
  // The first one in the list is the default; the former default comes next.
  const offset = start + line.index + line[0].length;
  const value = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const others = value.split(';').filter(id => id.trim() !== '' && id.trim() !== desktopId);
  const whole = [desktopId, ...others].join(';');
  if (value.replace(/;$/, '') === whole) return text;
  return edited(text, [{ offset, length: value.length, content: others.length === 0 ? whole : `${whole};` }]);
}

function withoutDefault(text: string, { mimeType, desktopId }: DefaultHandler): string {
  // Pattern excused: it starts at a line with our own name, and has no alternatives after that.
  const line = new RegExp(`^(${escaped(mimeType)}[ \\t]*=[ \\t]*)([^\\r\\n]*)(\\r?\\n|$)`, 'gm');
  return text.replace(line, (whole, key: string, value: string, end: string) => {
    const ids = value.split(';');
    const others = ids.filter(id => id.trim() !== desktopId);
    if (others.length === ids.length) return whole;
    return others.every(id => id.trim() === '') ? '' : `${key}${others.join(';')}${end}`;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
