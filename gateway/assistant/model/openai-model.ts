import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { AppError } from '../../../compute/model/errors.js';
import type { Settings } from '../../../storage/process/settings.js';
import type { Model, ModelMessage, ModelReply, ModelRequest, ModelTool } from './model.js';
import { ReplyReader } from './reply-reader.js';

/** How often a request is sent again if it fails before its reply begins. */
const retries = 2;
/** How long a server may take until its reply begins, in ms. */
const beginTimeoutMs = 10_000;
/** Estimated characters of a token, for servers that do not count tokens. */
const tokenLength = 3;

/** A model behind any server that speaks the chat format of OpenAI. */
export class OpenAiModel implements Model {
  readonly #client: OpenAI;
  readonly #name: string;

  constructor({
    ASSISTANT_BASE_URL: baseURL,
    ASSISTANT_API_KEY: key,
    ASSISTANT_MODEL: name,
  }: Pick<Settings, 'ASSISTANT_BASE_URL' | 'ASSISTANT_API_KEY' | 'ASSISTANT_MODEL'>) {
    this.#name = name;
    this.#client = new OpenAI({
      baseURL,
      maxRetries: retries,
      timeout: beginTimeoutMs,
      logLevel: 'off',
      // Set here, because the library would read them from environment variables for other programs.
      organization: null,
      project: null,
      apiKey: key === '' ? 'none' : key,
      ...(key === '' ? { defaultHeaders: { Authorization: null } } : {}),
    });
  }

  async reply({ messages, tools, signal, onText, onTokens }: ModelRequest): Promise<ModelReply> {
    const reader = new ReplyReader(onText);
    try {
      return await unlessAborted(this.#read(messages, tools, signal, reader), signal);
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      onTokens(reader.tokens ?? estimatedTokens(messages, tools, reader.length));
    }
  }

  async #read(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    signal: AbortSignal,
    reader: ReplyReader,
  ): Promise<ModelReply> {
    const request = {
      model: this.#name,
      messages: messages.map(toParam),
      stream: true as const,
      stream_options: { include_usage: true },
      ...(tools.length > 0 ? { tools: tools.map(toToolParam), parallel_tool_calls: true } : {}),
    };
    const stream = await this.#client.chat.completions.create(request, { signal });
    for await (const chunk of stream) {
      signal.throwIfAborted();
      reader.add(chunk);
    }
    return reader.end();
  }
}

/** Rejects as soon as the signal is aborted, because the library waits between its retries whether or not it is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const give = () => reject(new AppError('model_failed', 'the model was too slow'));
    if (signal.aborted) return give();
    signal.addEventListener('abort', give, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

/** The failure in a message of this service, because messages of model servers can repeat the key. */
function failureOf(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted) return new AppError('model_failed', 'the model was too slow');
  const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
  const what =
    status === undefined
      ? 'the model cannot be reached, or its reply broke off'
      : `the model answers ${status}`;
  return new AppError('model_failed', what);
}

function toParam(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const { text, calls } = message;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: given }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: given },
          })),
        }),
  };
}

const toToolParam = ({ name, description, schema }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: schema as Record<string, unknown> },
});

const estimatedTokens = (
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
  replyLength: number,
): number =>
  Math.ceil((JSON.stringify(messages).length + JSON.stringify(tools).length + replyLength) / tokenLength);
