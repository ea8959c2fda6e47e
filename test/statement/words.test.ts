/** The words of sentences that many suites meet: each stands here once, and they take it from the program. */

import { expect, test } from '@jest/globals';
import { askedSentences } from '../../daemon/clients/mcp/refusal-words.ts';
import { statementRan } from '../../daemon/clients/mcp/request-access.ts';
import { byCascade, uncountedBecause } from '../../daemon/engines/count/taken.ts';
import { noRows } from '../../daemon/engines/count/taken-words.ts';
import { numbersUsed, othersLock, othersWait } from '../../daemon/engines/count/trial.ts';
import { notReturned } from '../../daemon/engines/dialect.ts';
import { analyzed, everywhere } from '../../daemon/engines/mysql/count.ts';
import { writtenAsSeveral } from '../../daemon/engines/mysql/preview.ts';
import { endedByItself, keptByTables } from '../../daemon/engines/mysql/run/take-back.ts';
import { takenBack } from '../../daemon/engines/postgres/run/attempt.ts';
import { keyMoves, noKey, vagueKey, viewTarget } from '../../daemon/engines/preview-plan.ts';
import { english } from '../../daemon/guard/reason.ts';
import { changedSinceConfirmed } from '../../daemon/shells/confirmed-command.ts';
import { changedSince, shownElse } from '../../daemon/shells/increase-gate.ts';
import { notShown } from '../../daemon/statement/preview/rehearse.ts';
import { waited } from '../../daemon/statement/waiting-words.ts';

test.each([
  // What a statement takes.
  [noRows, 'takes no rows that are there now'],
  [byCascade, 'by a cascade or a trigger'],
  [uncountedBecause(othersLock), 'Its rows were not counted, because another session holds a lock on them.'],
  [othersWait, 'a trial would have kept others waiting'],
  [numbersUsed, 'a trial would use up numbers that new rows get from a sequence or AUTO_INCREMENT'],
  [analyzed, 'Its rows were not counted, because a statement under ANALYZE is not tried out.'],
  [everywhere.notes.join(' '), 'Its rows were not counted, because it is about every database of the server.'],
  // What a preview leaves out.
  [notShown(keyMoves), 'No rows are shown: the statement gives rows another key.'],
  [vagueKey, 'the primary key may stand for several rows'],
  [noKey, 'the table has no primary key'],
  [viewTarget, 'the target is a view'],
  [writtenAsSeveral, 'the statement is written as one of several tables'],
  [notReturned, 'the statement cannot be made to return what it changes'],
  // What stays of a write.
  [takenBack, 'nothing of the statement stays, as the server takes back what was not committed'],
  [endedByItself, 'it ended the transaction that it ran in'],
  [keptByTables, 'it changed tables that cannot be rolled back'],
  // What ended a wait.
  [
    waited({ kind: 'locked', seconds: 0.3, limit: 'lock_timeout', holder: null }, { name: 'Shop' }),
    "The statement waited 0.3 s for a lock of another session and was ended by the server's own limit, lock_timeout; nothing of it stays. The server did not tell who holds it.",
  ],
  // What waits for the user, or was answered.
  [
    askedSentences.waiting('9:41'),
    'This still waits for the user, since 9:41; it has not run. Go on with something else.',
  ],
  [statementRan, 'The user ran this statement at'],
  [english(shownElse), 'Something has changed since this was shown, so nothing was done.'],
  [english(changedSince), 'Something has changed since you confirmed this, so nothing was done.'],
  [changedSinceConfirmed, 'Something has changed since this was confirmed, so nothing was done; try again.'],
])('%s', (words, expected) => {
  expect(words).toBe(expected);
});
