/**
 * Words a question for a client's dialog, and decides what counts as an approval in the reply (spec
 * §12). Others' text is escaped and marked as theirs. Asks nobody.
 */

import { blankRowsCounted, longBlanksCounted } from '../../../shared/blank-rows.ts';
import { isObject } from '../../../shared/json.ts';
import { shownName, shownTables, shownText } from '../../../shared/shown-text.ts';
import { textSize, textSizeWords } from '../../../shared/text-size.ts';
import type { QuestionContent } from '../../access/questions/approvals.ts';
import type { Principal } from '../../access/tokens/token.ts';
import type { QuestionForm } from './tool.ts';

/** Names the one question among an answer's input requests. */
export const questionKey = 'approval';
const field = 'approve';

/** A dialog that scrolls hides what it asks: longer statements are shown by a shell. */
const longestInClient = 4_000;
const mostTakesInClient = 20;

export function isTooLongForClient({ statement }: QuestionContent): boolean {
  if (statement === null) return false;
  const { lines = [] } = statement.takes ?? {};
  return lines.length > mostTakesInClient || textSize(statement.text + lines.join('')).characters > longestInClient;
}

type By = Pick<Principal, 'tokenName' | 'isBox'>;

export function questionForm(content: QuestionContent, by: By): QuestionForm {
  return {
    message: messageOf(content, by),
    requestedSchema: {
      type: 'object',
      properties: {
        [field]: {
          type: 'boolean',
          title: 'Run it',
          description: `Yes runs this on ${shownName(content.connection.name)}, once.`,
        },
      },
      required: [field],
    },
  };
}

/**
 * Only a clear "yes" approves. A missing or malformed field counts as nobody's answer: some clients
 * accept by themselves.
 */
export function answerIn(response: unknown): 'yes' | 'no' | 'nobody' {
  if (!isObject(response)) return 'nobody';
  const { action, content } = response;
  if (action === 'decline' || action === 'cancel') return 'no';
  const said = action === 'accept' && isObject(content) && Object.hasOwn(content, field) ? content[field] : null;
  return said === true ? 'yes' : said === false ? 'no' : 'nobody';
}

function takesLines(takes: NonNullable<QuestionContent['statement']>['takes']): readonly string[] {
  if (takes === undefined) return [];
  const lines = takes.lines.map(line => `- ${shownText(line)}`);
  return [
    ...(lines.length === 0 ? [] : ['What it takes:', ...lines]),
    ...(takes.note === null ? [] : [`Not counted: ${shownText(takes.note)}`]),
  ];
}

function messageOf({ client, connection, means, statement }: QuestionContent, { tokenName, isBox }: By): string {
  const marks = [...(connection.colour === null ? [] : [connection.colour]), ...connection.tags];
  const place = `${shownName(connection.name)}${marks.length === 0 ? '' : ` (${marks.map(shownName).join(', ')})`}`;
  const by = `${isBox ? 'box' : 'token'} ${shownName(tokenName)}`;
  const asker = `Asked by: ${shownName(client)} (as it calls itself), ${by}`;
  if (statement === null) return [`Sallyport asks: allow this on ${place}?`, `A yes means: ${means}`, asker].join('\n');
  return [
    `Sallyport asks: run this ${shownName(statement.class)} statement on ${place}?`,
    asker,
    `Why it is asked: ${shownText(statement.reason)}`,
    `Tables: ${shownTables(statement.tables)}`,
    ...takesLines(statement.takes),
    `Length: ${textSizeWords(textSize(statement.text))}`,
    // Marked line by line, so no line of the statement can pass for one of ours.
    ...blankRowsCounted(shownText(statement.text, 'lines').split('\n').flatMap(longBlanksCounted)),
  ].join('\n');
}
