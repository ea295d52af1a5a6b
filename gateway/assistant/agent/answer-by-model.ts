import { cutAtSpace } from './cut-at-space.js';
import { AppError } from '../../../compute/model/errors.js';
import type { Conversation } from '../../../storage/conversations/conversation.js';
import { listingNamed } from '../../mcp/catalogue.js';
import type { Asker } from '../assistant.js';
import { jsonObject } from '../json-object.js';
import { KnownFigures } from '../figures/known-figures.js';
import { unsupportedFigures } from '../figures/unsupported-figures.js';
import type { ModelBudget } from '../model/model-budget.js';
import type { Model, ModelCall, ModelMessage, ModelReply, ModelTool } from '../model/model.js';
import type { MadeCall, Toolbox, ToolOutcome } from '../toolbox.js';
import { unnamedIn } from '../analyst/heard/unnamed-in.js';
import type { UnderstandingOptions } from '../analyst/understand.js';
import { CheckedText } from './checked-text.js';
import { Fence } from './fence.js';
import { systemPrompt } from './system-prompt.js';

/** The most replies of the model for one question. */
const mostReplies = 6;

/** The most characters of an answer. */
const mostAnswerLength = 6_000;

/** A question for the model, with the tools and the budget for it. */
export interface ModelQuestion {
  message: string;
  conversation: Conversation;
  toolbox: Toolbox;
  model: Model;
  budget: ModelBudget;
  /** Aborted when the time of the model has passed, or the client has disconnected. */
  signal: AbortSignal;
  isGuest: boolean;
  /** What is served here, for the check that the answer names what is not. */
  served: UnderstandingOptions;
  onEvent: NonNullable<Asker['onEvent']>;
}

/**
 * Lets a model answer with the tools. Every figure of the answer must be in a tool result or in the question, and what the question
 * asks and the calls do not hold must be named: otherwise the model is asked once again. Throws `model_failed` when there is no such answer within the replies, tokens and time.
 */
export async function answerByModel(question: ModelQuestion): Promise<{ text: string; calls: MadeCall[] }> {
  return new ModelRun(question).answer();
}

class ModelRun {
  readonly #question: ModelQuestion;
  readonly #fence = new Fence();
  readonly #calls: MadeCall[] = [];
  readonly #messages: ModelMessage[];
  readonly #tools: readonly ModelTool[];
  #isAskedAgain = false;

  constructor(question: ModelQuestion) {
    this.#question = question;
    const { message, conversation, toolbox, isGuest } = question;
    this.#tools = [...toolbox.names].flatMap(toModelTool);
    this.#messages = [
      { role: 'system', text: systemPrompt(this.#fence.word, new Date(), isGuest) },
      ...historyOf(conversation, this.#fence),
      { role: 'user', text: message },
    ];
  }

  async answer(): Promise<{ text: string; calls: MadeCall[] }> {
    for (let replies = 0; replies < mostReplies; replies++) {
      const { text, calls } = await this.#reply();
      if (calls.length > 0) await this.#call(text, calls);
      else if (this.#isSound(text))
        return { text: cutAtSpace(text.trim(), mostAnswerLength), calls: this.#calls };
      else this.#askAgain(text);
    }
    throw new AppError('model_failed', `the model calls tools without an end (${mostReplies} replies)`);
  }

  /** One reply of the model. Its sentences are sent as events as soon as their figures are checked. */
  async #reply(): Promise<ModelReply> {
    const { model, budget, signal, onEvent } = this.#question;
    await budget.require();
    const known = this.#known();
    const told = new CheckedText(
      (text) => unsupportedFigures(text, known).length === 0,
      (text) => onEvent({ name: 'token', data: { text } }),
    );
    const restart = () => {
      if (told.hasSent) onEvent({ name: 'token', data: { text: '', restart: true } });
    };
    try {
      const reply = await model.reply({
        messages: this.#messages,
        tools: this.#tools,
        signal,
        onText: (text) => told.add(text),
        onTokens: (tokens) => budget.add(tokens),
      });
      const isAnswer = reply.calls.length === 0 && this.#isSound(reply.text);
      if (isAnswer) told.end();
      else restart();
      return reply;
    } catch (error) {
      restart();
      throw error;
    }
  }

  /** Calls the tools that a reply asks for, side by side, and hands their results to the model. */
  async #call(text: string, calls: readonly ModelCall[]): Promise<void> {
    this.#messages.push({ role: 'assistant', text, calls });
    const outcomes = await Promise.all(calls.map((call) => this.#outcome(call)));
    calls.forEach(({ id }, n) => {
      const outcome = outcomes[n];
      const { ok, ...failure } = outcome;
      this.#messages.push({
        role: 'tool',
        callId: id,
        text: this.#fence.wrap(outcome.ok ? outcome.content : { ok, ...failure }),
      });
    });
  }

  async #outcome({ name, arguments: text }: ModelCall): Promise<ToolOutcome> {
    const args = readObject(text);
    if (args === null) return notArguments;
    const outcome = await this.#question.toolbox.call(name, args);
    this.#calls.push({ tool: name, args, outcome });
    return outcome;
  }

  #known(): KnownFigures {
    const results = this.#calls.flatMap(({ args, outcome }) => (outcome.ok ? [args, outcome.content] : []));
    return new KnownFigures(this.#question.message, results);
  }

  #isSound(text: string): boolean {
    return unsupportedFigures(text, this.#known()).length === 0 && this.#unnamed(text).length === 0;
  }

  /** What can't be served as asked, and the text does not say. */
  #unnamed(text: string): string[] {
    const { message, served } = this.#question;
    return unnamedIn(text, message, this.#calls, served);
  }

  /** Tells the model which figures are in no tool result, and asks again. Throws `model_failed` the second time. */
  #askAgain(text: string): void {
    const figures = unsupportedFigures(text, this.#known()).slice(0, 10).join(', ');
    if (this.#isAskedAgain)
      throw new AppError('model_failed', 'the model gives figures of no tool result, or of another question');
    this.#isAskedAgain = true;
    this.#messages.push({ role: 'assistant', text, calls: [] });
    const rule =
      'Answer the question again, with figures of tool results only; call a tool if one is missing.';
    const faults = [
      ...(figures === '' ? [] : [`These figures are in no tool result: ${figures}.`]),
      ...this.#unnamed(text).map((note) => `The answer does not say first: ${note}`),
    ];
    this.#messages.push({ role: 'user', text: `${faults.join(' ')} ${rule}` });
  }
}

/** Earlier turns as data, because answers may hold texts of partners. */
function historyOf({ recent, earlier }: Conversation, fence: Fence): ModelMessage[] {
  if (recent.length === 0) return [];
  const turns = recent.map(({ question, answer }) => ({ question, answer }));
  const data = fence.wrap({ earlier, turns });
  return [{ role: 'user', text: `The conversation so far, as data. My next question follows.\n${data}` }];
}

const notArguments: ToolOutcome = {
  ok: false,
  code: 'invalid_input',
  message: 'the arguments must be a JSON object',
  details: {},
};

/** The arguments in a JSON text; null if it is no object. An empty text means no arguments. */
const readObject = (text: string): Record<string, unknown> | null =>
  text.trim() === '' ? {} : jsonObject(text);

function toModelTool(name: string): ModelTool[] {
  const listing = listingNamed(name);
  return listing ? [{ name, description: listing.description, schema: listing.inputSchema }] : [];
}
