/**
 * What resources and prompts are rendered from: the tools themselves, checked and run like a call,
 * recorded as a read (spec §14).
 */

import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { errorCodes } from '../../../../shared/codes.ts';
import { jsonOfContent } from '../../../engines/row-text.ts';
import { boundedSentence } from '../answer.ts';
import { boundedContent } from '../bounded.ts';
import { type DispatchPorts, dispatch, type IncomingCall } from '../dispatch.ts';
import { wordsOf } from '../refusal-words.ts';
import { askingOfHostKeys } from '../request-host-key.ts';
import type { Tool } from '../tool.ts';
import { buildCatalog, type Catalog } from '../tool-catalog.ts';
import type { ToolPorts } from '../tools/tool-ports.ts';
import { answerTool } from './answers.ts';
import { describeSchema } from './describe-schema.ts';

export type LookUp =
  | 'answer'
  | 'list_connections'
  | 'describe_schema'
  | 'list_tables'
  | 'describe_table'
  | 'search_query_history';

const restOf: Readonly<Record<LookUp, string>> = {
  answer: 'Cut to the size of an answer.',
  list_connections: 'Cut to the size of an answer: list_connections gives the rest.',
  describe_schema: 'Cut to the size of an answer: list_tables names the rest, describe_table describes them.',
  list_tables: 'Cut to the size of an answer: list_tables gives the rest, and searches.',
  describe_table: 'Cut to the size of an answer: describe_table gives the rest.',
  search_query_history: 'Cut to the size of an answer: search_query_history gives the rest.',
};

export type LookUps = ReturnType<typeof lookUps>;

export function lookUps(ports: DispatchPorts, toolPorts: ToolPorts, tools: readonly Tool[]) {
  const readers = tools.filter(({ name }) => Object.hasOwn(restOf, name));
  const own = [answerTool(toolPorts), askingOfHostKeys(toolPorts, describeSchema(toolPorts))] as Tool[];
  const catalog: Catalog = buildCatalog([...readers, ...own]);
  return {
    /**
     * @param action its name in the activity row. @param uri of a resource; null for a prompt.
     * @param part the part of the result to use: the rest takes no room.
     * @returns JSON, bounded like an answer.
     * @throws ProtocolError
     */
    async read(
      call: IncomingCall,
      lookUp: LookUp,
      given: Readonly<Record<string, unknown>>,
      action: string,
      uri: string | null,
      part = (content: Record<string, unknown>) => content,
    ): Promise<string> {
      const recordedAs = { category: 'resource', action } as const;
      const outcome = await dispatch({ ...ports, catalog }, call, lookUp, given, recordedAs);
      if (outcome.kind === 'success') {
        const { defaultAnswerBytes } = toolPorts.limits();
        return jsonOfContent(boundedContent(part(outcome.structuredContent), defaultAnswerBytes, restOf[lookUp]));
      }
      // Nobody is asked through a client here, so no question can come back.
      if (outcome.kind === 'input_required') throw new TypeError('A read was asked back through its client');
      const worded = wordsOf(outcome.refusal, call.principal.scope);
      if (worded instanceof ProtocolError) throw worded;
      const { word, facts } = worded;
      const sentence = boundedSentence(worded.sentence);
      if (word === 'query_failed' && uri !== null) throw new ResourceNotFoundError(uri, sentence);
      if (word === 'query_failed' || word === 'invalid_argument') {
        throw new ProtocolError(errorCodes.invalidParams, sentence);
      }
      const isNo = word === 'denied' || word === 'user_cancelled' || word === 'unsupported';
      const data = facts === null ? undefined : { reason: facts.kind };
      throw new ProtocolError(isNo ? errorCodes.forbidden : errorCodes.internal, `${word}: ${sentence}`, data);
    },
  };
}
