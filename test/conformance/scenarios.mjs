/**
 * Which scenarios of the public suite apply to Sallyport and which don't, each with its reason. The
 * suite is for SDKs: most scenarios call tools, resources and prompts with fixed names, which an
 * SDK's sample server has and a product doesn't.
 */

/** Scenario → the checks in it that can't pass, each with its reason. All others must pass. */
export const applying = {
  '2026-07-28': {
    'server-stateless': {
      'sep-2575-server-rejects-undeclared-capability': 'needs the sample tool test_missing_capability',
      'sep-2575-missing-capability-http-400': 'needs the sample tool test_missing_capability',
      'sep-2575-http-server-no-independent-requests-on-stream': 'needs the sample tool test_streaming_elicitation',
      'sep-2575-server-no-log-without-loglevel': 'needs the sample tool test_logging_tool',
    },
    'tools-list': {},
    'server-sse-multiple-streams': {},
    'sep-2164-resource-not-found': {},
    'dns-rebinding-protection': {},
    'http-header-validation': {},
    caching: {},
    'resources-list': {},
    'prompts-list': {},
    'input-required-result-unsupported-methods': {},
    'input-required-result-validate-input': {},
  },
  '2025-11-25': {
    'server-initialize': {},
    'server-session-lifecycle': {},
    ping: {},
    'tools-list': {},
    'resources-list': {},
    'prompts-list': {},
    'server-sse-multiple-streams': {},
    'dns-rebinding-protection': {},
  },
  '2025-06-18': {
    'server-initialize': {},
    'server-session-lifecycle': {},
    ping: {},
    'tools-list': {},
    'resources-list': {},
    'prompts-list': {},
  },
};

const sampleTool = 'calls a tool that only the sample server of an SDK has';
const samplePrompt = 'asks for prompts of the sample server';
const sampleResource = 'reads resources of the sample server';

/**
 * Scenario → why it isn't run, in any revision. With `applying` the list is complete: a new
 * scenario must be put into one of the two.
 */
export const notApplying = {
  'completion-complete': 'completes an argument of a prompt of the sample server',
  'tools-call-simple-text': sampleTool,
  'tools-call-image': sampleTool,
  'tools-call-audio': sampleTool,
  'tools-call-embedded-resource': sampleTool,
  'tools-call-mixed-content': sampleTool,
  'tools-call-error': sampleTool,
  'tools-call-with-progress': sampleTool,
  'json-schema-2020-12': sampleTool,
  'http-custom-header-server-validation': 'no tool of ours mirrors an argument in a header',
  'resources-read-text': sampleResource,
  'resources-read-binary': sampleResource,
  'resources-templates-read': sampleResource,
  'prompts-get-simple': samplePrompt,
  'prompts-get-with-args': samplePrompt,
  'prompts-get-embedded-resource': samplePrompt,
  'prompts-get-with-image': samplePrompt,
  'logging-set-level': 'there is no logging: what a client must know stands in its answers',
  'tools-call-with-logging': sampleTool,
  'tools-call-sampling': sampleTool,
  'tools-call-elicitation': sampleTool,
  'elicitation-sep1034-defaults': sampleTool,
  'elicitation-sep1330-enums': sampleTool,
  'server-sse-polling': 'takes up a broken stream again by GET, which answers 405: nothing can be resumed',
  'resources-subscribe': sampleResource,
  'resources-unsubscribe': sampleResource,
  'input-required-result-basic-elicitation': sampleTool,
  'input-required-result-basic-sampling': sampleTool,
  'input-required-result-basic-list-roots': sampleTool,
  'input-required-result-request-state': sampleTool,
  'input-required-result-ignore-extra-params': sampleTool,
  'input-required-result-missing-input-response': sampleTool,
  'input-required-result-multiple-input-requests': sampleTool,
  'input-required-result-multi-round': sampleTool,
  'input-required-result-non-tool-request': samplePrompt,
  'input-required-result-result-type': sampleTool,
  'input-required-result-tampered-state': sampleTool,
  'input-required-result-capability-check': sampleTool,
};
