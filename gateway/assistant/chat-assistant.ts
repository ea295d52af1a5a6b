import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import type { AnswerSource, Conversation } from '../../storage/conversations/conversation.js';
import type { BegunTurn } from '../../storage/conversations/conversations.js';
import { networkOf } from '../../storage/users/client-network.js';
import { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { Deps } from '../context.js';
import { RequestsInHand } from '../limits/requests-in-hand.js';
import { shareFor } from '../../storage/process/shared-calls.js';
import { answerByModel } from './agent/answer-by-model.js';
import { analyse } from './analyst/analyst.js';
import type { UnderstandingOptions } from './analyst/understand.js';
import type { Asker, Assistant, AssistantAnswer, AssistantQuestion } from './assistant.js';
import { budgetsOf, ModelBudget } from './model/model-budget.js';
import type { Model } from './model/model.js';
import { RisingProgress } from './rising-progress.js';
import { ConnectorToolbox } from './toolbox/connector-toolbox.js';
import type { MadeCall } from './toolbox.js';

/** Questions that a gateway answers at the same time; one user or guest network may have half of them. */
const mostQuestions = 256;

/** The share of the time that the model has; the rest is for the built-in analyst, if the model fails. */
const modelShare = 0.8;

/** How long the list of assets is kept, in ms. */
const symbolsKeptMs = 60_000;

/** A conversation is freed by itself after two minutes; until then the release is tried again. */
const releasePauseMs = 2_000;
const mostReleases = 60;

const fallbackNote =
  'The language model gave no usable answer, so the built-in analyst has answered instead.';

/** An answer before it is stored. */
interface DraftAnswer {
  text: string;
  calls: readonly MadeCall[];
  /** The state of the analyst, for the next question. */
  state: object | null;
  answeredBy: 'model' | 'analyst';
}

/**
 * Answers from the tools of the connector. A language model answers if one is set; otherwise, or if it fails, the built-in analyst
 * does. A question spends most of its time waiting for tools and the model. So it is limited by a count of questions, and not
 * counted among the requests that the gateway works on.
 */
export class ChatAssistant implements Assistant {
  readonly #deps: Deps;
  readonly #model: Model | null;
  readonly #questions = new RequestsInHand(mostQuestions);
  readonly #modelCalls: RequestsInHand;
  readonly #log: ThrottledLog;
  readonly #symbols: () => Promise<string[]>;
  /** What still has to be freed, by conversation. */
  readonly #unreleased = new Map<string, () => Promise<void>>();

  constructor(deps: Deps, model: Model | null) {
    this.#deps = deps;
    this.#model = model;
    this.#modelCalls = new RequestsInHand(deps.settings.ASSISTANT_MODEL_CALLS);
    this.#log = new ThrottledLog(deps.log, deps.ending);
    this.#symbols = shareFor(symbolsKeptMs, async () => {
      const stored = await deps.storage.series.ofInterval(deps.settings.MARKET, '1h');
      return [...new Set(stored.map(({ base }) => base))];
    });
  }

  async ask({ message, conversationId }: AssistantQuestion, asker: Asker): Promise<AssistantAnswer> {
    const { queues, storage } = this.#deps;
    const { conversations } = storage;
    const { CONVERSATION_DAYS: days } = this.#deps.settings;
    const end = this.#questions.begin(keyOf(asker));
    try {
      await this.#unreleased.get(conversationId ?? '')?.();
      // By the shared clock: a gateway whose clock is ahead would otherwise take a conversation that another still answers.
      const begun = await conversations.begin(asker.user?.userId ?? null, conversationId, queues.now());
      try {
        const { text, calls, state, answeredBy } = await this.#answer(message, begun.conversation, asker);
        requireClient(asker);
        const tools = sourcesOf(calls);
        await conversations.complete(
          begun,
          { question: message, answer: text, tools, state },
          days,
          queues.now(),
        );
        return { response: text, conversationId: begun.conversation.id, figures: { answeredBy, tools } };
      } catch (error) {
        await this.#release(begun);
        throw error;
      }
    } finally {
      end();
    }
  }

  /** Frees the conversation of a turn that failed. Where the database can't be reached, that is tried again, and before the next turn. */
  async #release(begun: BegunTurn): Promise<void> {
    const { id } = begun.conversation;
    const release = async () => {
      await this.#deps.storage.conversations.release(begun);
      this.#unreleased.delete(id);
    };
    try {
      await release();
    } catch {
      this.#unreleased.set(id, release);
      void this.#releaseLater(id, release);
    }
  }

  async #releaseLater(id: string, release: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < mostReleases && this.#unreleased.get(id) === release; tries++) {
      await pause(releasePauseMs, undefined, { ref: false });
      await release().catch(() => undefined);
    }
    this.#unreleased.delete(id);
  }

  async #answer(message: string, conversation: Conversation, asker: Asker): Promise<DraftAnswer> {
    const { ASSISTANT_TIMEOUT_MS: limitMs } = this.#deps.settings;
    const endsAt = performance.now() + limitMs;
    const progress = new RisingProgress(asker);
    const { onEvent, onProgress } = progress;
    const told: Asker = { ...asker, onEvent, ...(asker.onProgress ? { onProgress } : {}) };
    if (this.#model === null) return this.#byAnalyst(message, conversation, told, endsAt, '');
    try {
      return await withTimeLimit(limitMs * modelShare, (limit) =>
        this.#byModel(this.#model!, message, conversation, told, limit),
      );
    } catch (error) {
      requireClient(asker);
      this.#log.warn('the language model gives no usable answer', error, (error as Error).message);
      return this.#byAnalyst(message, conversation, told, endsAt, `\n\n${fallbackNote}`);
    }
  }

  async #byModel(
    model: Model,
    message: string,
    conversation: Conversation,
    asker: Asker,
    limit: AbortSignal,
  ): Promise<DraftAnswer> {
    const { settings, storage } = this.#deps;
    const budget = new ModelBudget(storage.tokenUse, budgetsOf(settings, asker));
    const end = this.#modelCalls.begin(keyOf(asker));
    try {
      const { text, calls } = await answerByModel({
        message,
        conversation,
        model,
        budget,
        toolbox: new ConnectorToolbox(this.#deps, asker, limit),
        signal: AbortSignal.any([limit, asker.signal]),
        isGuest: asker.user === null,
        served: await this.#served(),
        onEvent: (event) => asker.onEvent?.(event),
      });
      return { text, calls, state: conversation.state, answeredBy: 'model' };
    } finally {
      end();
      await this.#settle(budget);
    }
  }

  /** Without it the whole reservation counts as used. An answer that is there is not lost for that. */
  async #settle(budget: ModelBudget): Promise<void> {
    try {
      await budget.settle();
    } catch (error) {
      this.#log.warn('the tokens that a question has used are not stored', error);
    }
  }

  async #served(): Promise<UnderstandingOptions> {
    const { names: exchanges } = this.#deps.exchanges.exchanges;
    return { symbols: await this.#symbols(), exchanges, nowMs: Date.now() };
  }

  async #byAnalyst(
    message: string,
    conversation: Conversation,
    asker: Asker,
    endsAt: number,
    note: string,
  ): Promise<DraftAnswer> {
    const options = await this.#served();
    return withTimeLimit(endsAt - performance.now(), async (limit) => {
      const toolbox = new ConnectorToolbox(this.#deps, asker, limit);
      const { text, calls, state } = await analyse(message, conversation.state ?? {}, toolbox, options);
      const answer = text + note;
      asker.onEvent?.({ name: 'token', data: { text: answer } });
      return { text: answer, calls, state, answeredBy: 'analyst' };
    });
  }
}

const keyOf = ({ user, address }: Asker): string => user?.userId ?? networkOf(address);

function requireClient({ signal }: Asker): void {
  if (signal.aborted) throw new AppError('cancelled', 'the client has disconnected');
}

/** The tools behind an answer. Equal entries are listed once. */
function sourcesOf(calls: readonly MadeCall[]): AnswerSource[] {
  const sources = calls.flatMap(({ tool, args, outcome }) =>
    outcome.ok ? [{ tool, args, asOf: outcome.asOf, source: outcome.source }] : [],
  );
  return [...new Map(sources.map((each) => [JSON.stringify(each), each])).values()];
}

/** Runs work with a signal that is aborted after `ms`. */
async function withTimeLimit<T>(ms: number, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(0, ms));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
