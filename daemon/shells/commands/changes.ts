/**
 * `changes.follow` (spec §11 Pushed): tells the asking shell when connections, tokens or settings
 * have changed.
 */

import { command, done, looks } from '../command.ts';
import { tellOfChanges } from '../list-changes.ts';
import { following } from '../messages/pushed.ts';
import { nothing } from './shapes.ts';

/** It is told a few times a second at most, until it disconnects. */
export const changesFollow = command('changes.follow', {
  shape: nothing,
  result: following,
  ...looks,
  run: (_, { ports, listChanges, follow }) => {
    follow('changes', notify => tellOfChanges(listChanges, notify, ports.limits.changesPauseMilliseconds));
    return done({ following: true });
  },
});
