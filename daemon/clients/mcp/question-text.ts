/**
 * A question as a client shows it to its user, and what counts as a yes in what comes back (spec
 * §12). What others wrote is escaped and marked as theirs. Asks nobody.
 */

import { blankRowsCounted, longBlanksCounted } from '../../../shared/blank-rows.ts';
import { isObject } from '../../../shared/json.ts';
import { shownName, shownTables, shownText } from '../../../shared/shown-text.ts';
import { textSize, textSizeWords } from '../../../shared/text-size.ts';
import type { QuestionContent } from '../../access/questions/approvals.ts';
import type { QuestionForm } from './tool.ts';

/** Names the one question among the input requests of an answer. */
export const questionKey = 'approval';
const field = 'approve';

/**
 * A client's dialog that has to be scrolled hides what it asks: longer statements are for a shell
 * to show.
 */
const longestInClient = 4_000;
const mostTakesInClient = 20;

export function isTooLongForClient({ statement }: QuestionContent): boolean {
  if (statement === null) return false;
  const { lines = [] } = statement.takes ?? {};
  return lines.length > mostTakesInClient || textSize(statement.text + lines.join('')).characters > longestInClient;
}

export function questionForm(content: QuestionContent, tokenName: string): QuestionForm {
  return {
    message: messageOf(content, tokenName),
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
 * Only a clear yes is one. What comes back without the field, or malformed, is nobody's answer:
 * some clients accept by themselves.
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

function messageOf({ client, connection, means, statement }: QuestionContent, tokenName: string): string {
  const marks = [...(connection.colour === null ? [] : [connection.colour]), ...connection.tags];
  const place = `${shownName(connection.name)}${marks.length === 0 ? '' : ` (${marks.map(shownName).join(', ')})`}`;
  const asker = `Asked by: ${shownName(client)} (as it calls itself), token ${shownName(tokenName)}`;
  if (statement === null) return [`Sallyport asks: allow this on ${place}?`, `A yes means: ${means}`, asker].join('\n');
  return [
    `Sallyport asks: run this ${shownName(statement.class)} statement on ${place}?`,
    asker,
    `Why it is asked: ${shownText(statement.reason)}`,
    `Tables: ${shownTables(statement.tables)}`,
    ...takesLines(statement.takes),
    `Length: ${textSizeWords(textSize(statement.text))}`,
    // Marked line by line, so that no line of the statement can pass for one of ours.
    ...blankRowsCounted(shownText(statement.text, 'lines').split('\n').flatMap(longBlanksCounted)),
  ].join('\n');
}
