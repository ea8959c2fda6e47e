/** Puts the setting `log.level` into effect (spec §16), and at `debug` ties the log to the activity log: a line for each row. */

import type { SettingRegister } from './access/settings/setting-register.ts';
import type { ActivityLog, ActivityRow } from './activity.ts';
import type { OpenLog } from './storage/log/log.ts';

export function followLevel(
  log: OpenLog,
  activity: Pick<ActivityLog, 'follow'>,
  settings: Pick<SettingRegister, 'current' | 'onChanged'>,
): void {
  let unfollow = (): void => {};
  const apply = (): void => {
    const level = settings.current()['log.level'];
    log.setLevel(level);
    unfollow();
    unfollow = level === 'debug' ? activity.follow(rows => rows.forEach(logRow)) : () => {};
  };
  const logRow = ({ number, category, action, kind, outcome, principal, requestId }: ActivityRow): void =>
    log.debug({ number, category, action, kind, outcome, principal, requestId }, 'recorded');
  settings.onChanged(key => {
    if (key === 'log.level') apply();
  });
  apply();
}
