/**
 * Limits as the specification tells them are those of the code: each row is a piece of it, with the
 * constants in the places of its numbers. Reads files only.
 */

import { expect, test } from '@jest/globals';
import { bridgeLimits } from '../../bridge/bridge-limits.ts';
import { askLimits } from '../../daemon/access/desk/kinds.ts';
import { lockoutRules } from '../../daemon/access/limits/lockout.ts';
import { presenceLimits } from '../../daemon/access/limits/present-clients.ts';
import { bridgesTogether, defaultRequestLimits, waitingRequests } from '../../daemon/access/limits/request-limits.ts';
import { pairingLimits } from '../../daemon/access/pairing/pairing.ts';
import { firstUseHours } from '../../daemon/access/questions/first-use.ts';
import { httpLimits } from '../../daemon/clients/http/http-limits.ts';
import { sampleRows } from '../../daemon/clients/mcp/tools/described-table.ts';
import { mostReferences } from '../../daemon/clients/mcp/tools/table-lines.ts';
import { mostSeconds as trialSeconds } from '../../daemon/engines/count/trial.ts';
import { trialLimitMilliseconds } from '../../daemon/engines/stopping.ts';
import { mostSampleRows } from '../../daemon/guard/data-change.ts';
import { controlLimits } from '../../daemon/shells/socket/control-limits.ts';
import { rowsLookedAt } from '../../daemon/statement/column-values.ts';
import { mostValues } from '../../daemon/statement/common-values.ts';
import { heldLimits } from '../../daemon/statement/held-rows.ts';
import { mostStatements } from '../../daemon/statement/plan/judge.ts';
import { activityLimits } from '../../daemon/storage/activity/log-limits.ts';
import { historyLimits } from '../../daemon/storage/history/history-limits.ts';
import { clockLimits } from '../../daemon/storage/store/believed-clock.ts';
import { leastPassphraseCharacters } from '../../shared/new-passphrase.ts';
import { exitCodes } from '../../shell-terminal/cli-error.ts';
import { textOf } from './pages.ts';

const specification = plain(textOf('docs/specification.md'));

const { question, request, increase, pairing } = askLimits;
const { authentication, exchange, malformedExchange } = lockoutRules;
const { requestsPerMinute, concurrentRequests } = defaultRequestLimits;
const bridges = {
  requests: requestsPerMinute * bridgesTogether.requests,
  concurrent: concurrentRequests * bridgesTogether.concurrent,
};

test.each([
  `Requests per principal | ${requestsPerMinute} in any 60 s; all bridges together ${bridges.requests},`,
  `Concurrent requests per principal | ${concurrentRequests}; all bridges together ${bridges.concurrent},`,
  `| ${waitingRequests.most} requests a principal, ${waitingRequests.milliseconds / 1000} s each, or their`,
  `${waitingRequests.messages} more bodies are read`,
  `${authentication.failures} in ${authentication.withinSeconds} s (each with its own answer), then \`-33010\` for ${authentication.lockedSeconds / 60} minutes`,
  `${exchange.failures} in ${exchange.withinSeconds / 60} minutes, then \`429\` with \`Retry-After\` for ${exchange.lockedSeconds / 60} minutes`,
  `${word(exchange.failures)} failures within ${word(exchange.withinSeconds / 60)} minutes; \`Retry-After\``,
  `the first ${word(malformedExchange.failures)} malformed bodies of a minute`,
  `as a count every ${word(httpLimits.lockoutRowSeconds)} seconds`,
  `another content type, over ${bytes(httpLimits.exchangeBodyBytes)}, no JSON object`,
  `Request, sheet and code | ${word(pairing.lifetimeSeconds / 60)} minutes each`,
  `An expired code is remembered | ${word(pairingLimits.expiredCodeRememberedSeconds / 60)} minutes`,
  `410 for ${word(pairingLimits.expiredCodeRememberedSeconds / 60)} minutes, then 404`,
  `waiting | ${word(pairingLimits.codeSeconds / 60)} minutes pass | expired`,
  `Sheets that wait | ${word(pairing.inAll - 1)} |`,
  `Time to identify or to prove | ${controlLimits.proofMilliseconds / 1000} s`,
  `A line before the proof / after it | ${bytes(controlLimits.plainLineBytes)} / ${bytes(controlLimits.sealedLineBytes)} |`,
  `| ${controlLimits.silentPeers} / ${controlLimits.identifiedPeers} / ${controlLimits.shells}; at the limit`,
  `with a question open | ${controlLimits.asking}; beyond that one a terminal, half of ${controlLimits.askingAtMost} for one tree`,
  `Requests at once on one connection | ${controlLimits.requestsInFlight} |`,
  `Unread answers, before the connection is cut | ${bytes(controlLimits.unreadBytes)} |`,
  `called within ${word(presenceLimits.recentSeconds / 60)} minutes and still run`,
  `It has ${leastPassphraseCharacters} to 256 characters`,
  `is open for ${word(increase.lifetimeSeconds / 60)} minutes, and ends if that shell leaves; ${word(increase.inAll)} wait`,
  `nothing is asked for ${increase.quiet.secondsAfter.no} s, then twice as long each time, up to an hour (${increase.quiet.secondsAfter.cancelled} s at first if the shell left)`,
  `A question is open | ${word(question.lifetimeSeconds / 60)} minutes, or`,
  `Open questions | ${question.perAsker} a principal, ${question.perGroup} for all bridges together; then each process tree's part, up to ${question.perGroup} more`,
  `no question about that connection for ${question.quiet.secondsAfter.no} s`,
  `The approval of a first use is valid | ${firstUseHours} hours`,
  `Waiting at once | ${request.inAll}; ${request.perGroup} from a token`,
  `share ${request.perGroup} |`,
  `Length | ${bytes(request.bytesEach)} as a line of the control socket, for a request as for a question; ${bytes(request.bytesInAll)} all requests together, and as much all questions; ${bytes(request.bytesPerGroup)} the requests of a token or tree`,
  `A request and its answer are valid | ${request.lifetimeSeconds / 60} minutes from`,
  `an access request of up to ${mostStatements} statements`,
  `statements (up to ${mostStatements}), reason`,
  `rows are kept ${activityLimits.keptMilliseconds / 86_400_000} days`,
  `by at most ${word(clockLimits.daysPerDay)} days for each day`,
  `the first ${bytes(historyLimits.statementBytes)} of each, 90 days (\`history.days\`), ${bytes(historyLimits.totalBytes)} in all`,
  `at most ${bridgeLimits.maxConnections} connections and ${bridgeLimits.maxUnansweredRequests} unanswered requests`,
  `A line has up to ${bytes(bridgeLimits.maxLineBytes)}.`,
  `gives up after ${bridgeLimits.proofMilliseconds / 1000} s without an answer`,
  `"This client has ${bridgeLimits.maxConnections} requests under way"`,
  `kept for ${heldLimits.milliseconds / 60_000} minutes`,
  `tell up to ${mostValues} values of a column`,
  `the first ${rowsLookedAt.toLocaleString('en-US')} rows are read, of columns`,
  `${sampleRows} rows of all columns`,
  `of those from elsewhere ${mostReferences} and their count`,
  `up to ${mostSampleRows} changed rows before and after`,
  `| ${exitCodes.done} / ${exitCodes.failed} / ${exitCodes.misuse} | done / refused or failed / misuse`,
  `| ${exitCodes.differs} | a policy file differs`,
  `| ${exitCodes.noDaemon} | the daemon isn't there |`,
])('the specification says: %s', piece => {
  expect(specification).toContain(plain(piece));
});

test('walls.md tells how long a trial takes', () => {
  const walls = plain(textOf('docs/walls.md'));
  expect(walls).toContain(`after ${trialSeconds} s, or some 50 ms after another session waits for it`);
  expect(walls).toContain(`behind a pooler after ${trialLimitMilliseconds} ms`);
});

function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function word(number: number): string {
  return (
    ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][number] ?? String(number)
  );
}

function bytes(number: number): string {
  return number >= 1_048_576 ? `${number / 1_048_576} MiB` : `${number / 1024} KiB`;
}
