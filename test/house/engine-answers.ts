/** How a scripted engine answers one call. */
export type EngineAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'bytes'; readonly status: number; readonly bytes: string }
  /** Never answers; the call ends when the other side gives up. */
  | { readonly kind: 'silence' }
  /** The connection breaks after the request was read. */
  | { readonly kind: 'break' };

export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Reads the page: the text, and how many tokens it says it used. */
export function says(text: string, usage?: TokenUsage): EngineAnswer {
  return completion({ content: text }, 'stop', usage);
}

/** Runs and refuses, in its own words. */
export function refuses(reason: string): EngineAnswer {
  return completion({ content: null, refusal: reason }, 'stop');
}

/** Runs and is stopped by its content filter. */
export function filters(): EngineAnswer {
  return completion({ content: '' }, 'content_filter');
}

/** Runs out of tokens after this much text. */
export function cutsShort(text: string): EngineAnswer {
  return completion({ content: text }, 'length');
}

/** Answers with an HTTP error. */
export function fails(status: number, message: string, code = 'error'): EngineAnswer {
  return { kind: 'json', status, body: { error: { message, type: code, param: null, code } } };
}

/** Answers 200 with something that is no JSON. */
export function garbles(): EngineAnswer {
  return { kind: 'bytes', status: 200, bytes: '<html>not what you asked for' };
}

export const silence: EngineAnswer = { kind: 'silence' };
export const breaks: EngineAnswer = { kind: 'break' };

function completion(message: object, finishReason: string, usage?: TokenUsage): EngineAnswer {
  return {
    kind: 'json',
    status: 200,
    body: {
      id: 'chatcmpl-scripted',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'scripted-1',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
      ...(usage && { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
    },
  };
}
