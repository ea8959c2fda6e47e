/** Forwards the activity log to the place that `log.forward` names, and tells if it can't. */

import { join } from 'node:path';
import { type Note, notesOf } from '../shared/note.ts';
import type { SettingRegister } from './access/settings/setting-register.ts';
import type { Settings } from './access/settings/settings.ts';
import type { OpenActivityLog } from './storage/activity/log.ts';
import { cursorIn } from './storage/forwarding/cursor.ts';
import { fileSink } from './storage/forwarding/file-sink.ts';
import { type Forwarding, forward } from './storage/forwarding/forwarding.ts';
import { type Place, placeOf } from './storage/forwarding/place.ts';
import type { Sink } from './storage/forwarding/sink.ts';
import { datagramSink, streamSink } from './storage/forwarding/syslog-sink.ts';
import type { Undo } from './undo.ts';

interface ForwardedLogPorts {
  readonly home: string;
  readonly activity: Pick<OpenActivityLog, 'after' | 'newest' | 'follow' | 'flush'>;
  readonly settings: Pick<SettingRegister, 'current' | 'onChange' | 'onChanged'>;
  readonly report: (error: unknown) => void;
}

export interface ForwardedLog {
  notes(): readonly Note[];
}

export function forwardLog({ home, activity, settings, report }: ForwardedLogPorts, undo: Undo): ForwardedLog {
  const cursor = cursorIn(join(home, 'forwarded.json'));
  let forwarding: Forwarding | null = null;

  const apply = (): void => {
    const { 'log.forward': named, 'log.forwardMode': mode } = settings.current();
    const place = named === '' ? null : placeOf(named, home);
    const former = forwarding;
    forwarding =
      place === null || typeof place === 'string'
        ? null
        : forward(named, sinkOf(place, mode, home), {
            rowsAfter: activity.after,
            newest: activity.newest,
            onRows: listener => activity.follow(listener),
            cursor,
            report,
          });
    void former?.close().catch(report);
    // What is recorded until the next place is named goes to none.
    if (place === null && former !== null) void cursor.write('', 0).catch(report);
  };
  settings.onChange(async (key, next) => {
    if (key !== 'log.forward' || next[key] === '') return null;
    const place = placeOf(next[key], home);
    return typeof place === 'string' ? place : null;
  });
  settings.onChanged(key => {
    if (key === 'log.forward' || key === 'log.forwardMode') apply();
  });
  apply();
  undo.later(async () => {
    await activity.flush();
    await forwarding?.close();
  });
  return {
    notes() {
      const problem = forwarding?.problem() ?? null;
      return notesOf('forwarding', [
        problem &&
          `${capital(problem)}, so the activity log isn't forwarded; its rows wait and are sent once it is taken again.`,
      ]);
    },
  };
}

function sinkOf(place: Place, mode: Settings['log.forwardMode'], home: string): Sink {
  switch (place.kind) {
    case 'file':
      return fileSink(place.path, Number.parseInt(mode, 8), home);
    case 'stream':
      return streamSink(place.at);
    case 'datagram':
      return datagramSink(place.host, place.port);
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
