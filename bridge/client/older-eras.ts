/**
 * Clients of 2025-11-25 and 2025-06-18 (spec §15). Some of their messages are answered here; the
 * others become 2026-07-28 requests. Answers, progress and log messages have the same form in all
 * three revisions and need no translation. The older revisions allow the extra members of newer
 * results.
 */

import { modernProtocolVersion, newestLegacyProtocolVersion, protocolVersions } from '../../shared/codes.ts';
import { isObject } from '../../shared/json.ts';
import { version } from '../../shared/version.ts';
import { errorLine, unknownLogLevel } from '../failures.ts';
import { memberSpan, wholeObject, withMember } from './json-text.ts';
import { type JsonObject, type Message, metaKeys, type Request } from './message.ts';

type Treated = { readonly kind: 'answered'; readonly line: string } | Upward;

export interface Upward {
  readonly kind: 'upstream';
  readonly body: string;
  /** The message in the body, for the headers that repeat its members. */
  readonly message: Message;
  readonly translate: (answer: string) => string;
  /** True if the facts sent with the daemon's proof may answer it. */
  readonly discovers: boolean;
}

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export class OlderEraClient {
  #clientInfo: { name: string; version: string } | null = null;
  #logLevel: string | null = null;

  treat(request: Request): Treated {
    switch (request.method) {
      case 'initialize':
        return this.#initialize(request);
      case 'ping':
        return { kind: 'answered', line: resultLine(request.idText, {}) };
      case 'logging/setLevel':
        return { kind: 'answered', line: this.#setLogLevel(request) };
      default:
        return {
          kind: 'upstream',
          body: this.#withEnvelope(request),
          message: request,
          translate: request.method === 'tools/call' ? answer => callAnswer(answer, request.idText) : answer => answer,
          discovers: false,
        };
    }
  }

  #initialize({ idText, params }: Request): Treated {
    const { clientInfo, protocolVersion } = params ?? {};
    // Only a well-formed one is passed on: with a malformed client name the daemon would refuse
    // every request.
    const named = isObject(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string';
    this.#clientInfo = named ? { name: String(clientInfo.name), version: String(clientInfo.version) } : null;
    const offered = protocolVersions.find(known => known === protocolVersion && known !== modernProtocolVersion);
    const method = 'server/discover';
    return {
      kind: 'upstream',
      body: `{"jsonrpc":"2.0","id":${idText},"method":"${method}","params":{"_meta":{${this.#envelope()}}}}`,
      message: { text: '', method, params: null, claimedVersion: null },
      translate: answer => initializeAnswer(answer, idText, offered ?? newestLegacyProtocolVersion),
      discovers: true,
    };
  }

  /** The newer era puts the level into each request. */
  #setLogLevel({ idText, params }: Request): string {
    const level = params?.level;
    if (typeof level !== 'string' || !logLevels.includes(level)) return errorLine(idText, unknownLogLevel(logLevels));
    this.#logLevel = level;
    return resultLine(idText, {});
  }

  #withEnvelope({ text, params }: Request): string {
    const message = wholeObject(text);
    const span = memberSpan(text, message, 'params');
    if (span === null || text.slice(span.start, span.end) === 'null')
      return withMember(text, message, `"params":{"_meta":{${this.#envelope()}}}`);
    // Params that aren't an object can carry nothing; the daemon says what is wrong with them.
    if (params === null) return text;
    const meta = isObject(params._meta) ? memberSpan(text, span, '_meta') : null;
    if (meta !== null) return withMember(text, meta, this.#envelope());
    return withMember(text, span, `"_meta":{${this.#envelope()}}`);
  }

  /**
   * Always without capabilities: the bridge's token can't be asked through its client, so nothing
   * may try.
   */
  #envelope(): string {
    const envelope: Record<string, unknown> = {
      [metaKeys.protocolVersion]: modernProtocolVersion,
      [metaKeys.clientCapabilities]: {},
    };
    if (this.#clientInfo !== null) envelope[metaKeys.clientInfo] = this.#clientInfo;
    if (this.#logLevel !== null) envelope[metaKeys.logLevel] = this.#logLevel;
    return JSON.stringify(envelope).slice(1, -1);
  }
}

function initializeAnswer(discovered: string, idText: string, protocolVersion: string): string {
  const { result }: JsonObject = JSON.parse(discovered);
  if (!isObject(result)) return discovered;
  const { capabilities, instructions, _meta: meta } = result;
  const serverInfo = isObject(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined;
  return resultLine(idText, {
    protocolVersion,
    capabilities: capabilities ?? {},
    serverInfo: serverInfo ?? { name: 'sallyport', version },
    instructions,
  });
}

/** In these revisions the model hears of an unknown argument, so it is a result and no error. */
function callAnswer(answer: string, idText: string): string {
  if (answer.length > 4096 || !answer.includes('"unknown_argument"')) return answer;
  const { error }: JsonObject = JSON.parse(answer);
  if (!isObject(error) || !isObject(error.data) || error.data.reason !== 'unknown_argument') return answer;
  return resultLine(idText, {
    content: [{ type: 'text', text: `invalid_argument: ${String(error.message)}` }],
    isError: true,
  });
}

function resultLine(idText: string, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}
