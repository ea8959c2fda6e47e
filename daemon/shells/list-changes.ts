/**
 * Tells shells to ask for a list again (spec §11 Pushed). A shell gets one line per list, however
 * much happens: the next is written once its reader has taken the last ones, and after a pause. The
 * line doesn't say what has changed.
 */

import type { ControlNotification } from '../../shared/control.ts';
import type { ControlNotificationMethod } from '../../shared/control-commands.ts';
import type { CommandPorts } from './ports.ts';

type ChangedList = Extract<ControlNotificationMethod, 'connections.changed' | 'tokens.changed' | 'settings.changed'>;

/** @returns how to stop. */
export type ListChanges = (listener: (changed: ChangedList) => void) => () => void;

/** One listener per register, however many shells follow. */
export function listChangesOf({
  connections,
  tokens,
  settings,
}: Pick<CommandPorts, 'connections' | 'tokens' | 'settings'>): ListChanges {
  const listeners = new Set<(changed: ChangedList) => void>();
  const tell = (changed: ChangedList) => () => {
    for (const listener of listeners) listener(changed);
  };
  connections.onChanged(tell('connections.changed'));
  tokens.onChanged(tell('tokens.changed'));
  settings.onChanged(tell('settings.changed'));
  return listener => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

/** @param taken called once the line has left us for its reader. */
export type NotifyAndHear = (notification: ControlNotification, taken?: () => void) => void;

/** @returns how to stop. */
export function tellOfChanges(changes: ListChanges, notify: NotifyAndHear, pauseMilliseconds: number): () => void {
  const owed = new Set<ChangedList>();
  let isTelling = false;
  let isOver = false;

  function tellNext(): void {
    if (isTelling || isOver || owed.size === 0) return;
    isTelling = true;
    const methods = [...owed];
    owed.clear();
    const last = methods.at(-1);
    for (const method of methods) {
      notify({ jsonrpc: '2.0', method, params: {} }, method === last ? taken : undefined);
    }
  }

  function taken(): void {
    setTimeout(() => {
      isTelling = false;
      tellNext();
    }, pauseMilliseconds).unref();
  }

  const stop = changes(changed => {
    owed.add(changed);
    tellNext();
  });
  return () => {
    isOver = true;
    stop();
  };
}
