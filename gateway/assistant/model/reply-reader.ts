import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { AppError } from '../../../compute/model/errors.js';
import type { ModelCall, ModelReply } from './model.js';

/** Most characters of a reply, so that a model that never ends is cut off. */
const mostLength = 20_000;
/** Most calls that one reply may ask for. */
const mostReplyCalls = 24;

/** Joins the parts of a streamed reply. */
export class ReplyReader {
  readonly #onText: (text: string) => void;
  readonly #calls: ModelCall[] = [];
  #text = '';
  #length = 0;
  #reason: string | null = null;
  /** Tokens as counted by the server; null until it reports them. */
  tokens: number | null = null;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Characters received so far, with the arguments of calls. */
  get length(): number {
    return this.#length;
  }

  /** Throws `model_failed` for a reply that is too long. */
  add({ choices = [], usage }: Partial<ChatCompletionChunk>): void {
    if (usage) this.tokens = usage.total_tokens;
    const [choice] = choices;
    if (!choice) return;
    const { delta, finish_reason: reason } = choice;
    this.#reason = reason ?? this.#reason;
    for (const part of delta.tool_calls ?? []) this.#addCall(part);
    if (delta.content) {
      this.#count(delta.content);
      this.#text += delta.content;
      this.#onText(delta.content);
    }
  }

  /** The whole reply. Throws `model_failed` for one that broke off or is empty. */
  end(): ModelReply {
    if (this.#reason === null) throw broken('the reply broke off');
    if (this.#reason === 'length') throw broken('the reply was cut to its largest length');
    if (this.#reason === 'content_filter') throw broken('the reply was withheld');
    const calls = this.#calls.filter(Boolean);
    if (calls.length === 0 && this.#text.trim() === '') throw broken('the reply is empty');
    return { text: this.#text, calls };
  }

  #addCall({
    index,
    id,
    function: called,
  }: NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number]): void {
    if (!Number.isInteger(index) || index < 0 || index >= mostReplyCalls)
      throw broken(`a reply may ask for ${mostReplyCalls} calls`);
    const call = (this.#calls[index] ??= { id: `call_${index}`, name: '', arguments: '' });
    if (id) call.id = id;
    // Some servers send the name in every part.
    if (called?.name && call.name !== called.name) call.name += called.name;
    call.arguments += called?.arguments ?? '';
    this.#count(called?.arguments ?? '');
  }

  #count(text: string): void {
    this.#length += text.length;
    if (this.#length > mostLength) throw broken(`the reply has more than ${mostLength} characters`);
  }
}

const broken = (message: string) => new AppError('model_failed', message);
