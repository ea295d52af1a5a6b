import { AppError } from '../../../compute/model/errors.js';
import { asAppError } from '../../answers/failure-answer.js';
import type { Caller, Deps } from '../../context.js';
import { failedAnswer } from '../../mcp/answers/failed-answer.js';
import { formOf } from '../../mcp/call-tool.js';
import type { Tool } from '../../mcp/tool.js';
import { readArguments } from '../../mcp/tool-arguments.js';
import { toolNamed, tools } from '../../mcp/tools.js';
import { jsonSchemaOf, type JsonSchema } from '../../openapi/json-schema.js';
import { understoodInput } from '../../understood-input.js';
import type { Asker } from '../assistant.js';
import type { Toolbox, ToolOutcome } from '../toolbox.js';
import { lateOutcome } from './late-outcome.js';
import type { TokenScope } from '../../../storage/users/token-scopes.js';

/** Tools that the assistant never calls: those that ask it. */
const asksAssistant = ({ listing }: Tool): boolean => listing.name.startsWith('ask_');

const byScopes = new Map<string, ReadonlyMap<string, Tool>>();

/** The tools that the assistant may call for a caller with these scopes: the public ones, and those that a scope opens. */
function callableTools(scopes: ReadonlySet<TokenScope>): ReadonlyMap<string, Tool> {
  const key = [...scopes].sort().join(' ');
  const known = byScopes.get(key);
  if (known) return known;
  const callable = new Map(
    tools
      .filter((tool) => !asksAssistant(tool))
      .filter(({ listing }) => listing.scope === 'public' || scopes.has(listing.scope))
      .map((tool) => [tool.listing.name, tool]),
  );
  byScopes.set(key, callable);
  return callable;
}

/** The most tool calls for one question. */
export const mostCalls = 12;

/** Points of the question that pay for its tools. Tools that cost one point are free. */
const coveredPoints = 5;

/** The tools of the connector for one question. A failed call is an outcome as well, not an exception. */
export class ConnectorToolbox implements Toolbox {
  readonly names: ReadonlySet<string>;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #deps: Deps;
  readonly #asker: Asker;
  /** Aborted when the time for the answer has passed. */
  readonly #deadline: AbortSignal;
  /** Resolves with null when the time has passed or the client has disconnected. */
  readonly #ended: Promise<null>;
  #covered = coveredPoints;
  #made = 0;

  constructor(deps: Deps, asker: Asker, deadline: AbortSignal) {
    this.#deps = deps;
    this.#asker = asker;
    this.#deadline = deadline;
    this.#ended = whenAborted(AbortSignal.any([deadline, asker.signal]));
    this.#tools = callableTools(asker.scopes);
    this.names = new Set(this.#tools.keys());
  }

  output(name: string): JsonSchema | undefined {
    const tool = this.#tools.get(name);
    return tool && jsonSchemaOf(tool.operation.output);
  }

  /** Rejects with `cancelled` when the client has disconnected. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
    requireClient(this.#asker.signal);
    const tool = this.#tools.get(name);
    if (!tool) return failed(this.#missing(name));
    if (++this.#made > mostCalls) return failed(tooManyCalls());
    const tell = (state: 'started' | 'answered' | 'failed') =>
      this.#asker.onEvent?.({ name: 'tool', data: { tool: name, state } });
    tell('started');
    const outcome = await this.#run(tool, args).catch((error: unknown) => this.#failure(error, tool));
    tell(outcome.ok ? 'answered' : 'failed');
    return outcome;
  }

  async #run(tool: Tool, given: Record<string, unknown>): Promise<ToolOutcome> {
    const args = readArguments(tool.listing, given);
    const input = await understoodInput(tool.operation.input, tool.input(args), this.#deps);
    await this.#charge(tool.operation.cost);
    const goesOn = this.#goesOn(tool);
    const answer = tool.operation
      .handle(input, this.#deps, this.#caller(tool, goesOn))
      .then(({ payload }): ToolOutcome => new Answered(tool, payload, args));
    return this.#withinTime(tool, answer, goesOn);
  }

  /** Whether a call outlasts the time for the answer: long operations of users do. */
  #goesOn({ operation }: Tool): boolean {
    return operation.isLong === true && this.#asker.user !== null;
  }

  /** The answer if it comes in time, else an outcome that says so. If the call goes on, its result can be fetched later. */
  async #withinTime(tool: Tool, answer: Promise<ToolOutcome>, goesOn: boolean): Promise<ToolOutcome> {
    const first = await Promise.race([answer, this.#ended]);
    if (first !== null) return first;
    answer.catch(() => undefined);
    requireClient(this.#asker.signal);
    if (!goesOn) return failed(tooLate(tool));
    const kept = answer.catch((error: unknown) => this.#failure(error, tool));
    return lateOutcome(this.#deps, this.#asker.user!.userId, tool, kept);
  }

  /** The caller of one operation. A call that goes on ends with the client's connection, not with the deadline. */
  #caller(tool: Tool, goesOn: boolean): Caller {
    const { requestId, user, address, client, signal, onProgress } = this.#asker;
    return {
      requestId,
      user,
      address,
      client,
      timings: {},
      signal: goesOn ? signal : AbortSignal.any([signal, this.#deadline]),
      ...(onProgress && tool.operation.isLong ? { onProgress } : {}),
    };
  }

  /** Charges what the question has not paid for. A refused charge leaves the covered points for other tools. */
  async #charge(cost: number): Promise<void> {
    if (cost <= 1) return;
    const covered = Math.min(cost, this.#covered);
    // Calls run side by side, so the points are taken before the charge is awaited.
    this.#covered -= covered;
    if (cost === covered) return;
    try {
      await this.#asker.charge(cost - covered);
    } catch (error) {
      this.#covered += covered;
      throw error;
    }
  }

  #missing(name: string): AppError {
    const listing = toolNamed(name)?.listing;
    if (!listing || listing.scope === 'public')
      return new AppError('invalid_input', `there is no tool "${name.slice(0, 60)}"`);
    return this.#asker.user
      ? new AppError('forbidden', `the token does not allow this: ${listing.scope} is needed`)
      : new AppError('unauthorized', 'sign in first: this reads an account');
  }

  /** The error as an outcome. Throws `cancelled` when the client has disconnected. */
  #failure(caught: unknown, tool: Tool): ToolOutcome {
    requireClient(this.#asker.signal);
    // The deadline ends no call that goes on: such a call fails for a reason of its own.
    const isEnded = this.#deadline.aborted && !this.#goesOn(tool);
    if (isEnded && !(caught instanceof AppError && caught.kind === 'invalid')) return failed(tooLate(tool));
    const error = asAppError(caught);
    if (error.kind === 'bug') {
      const { requestId } = this.#asker;
      this.#deps.log.error({ traceId: requestId, tool: tool.listing.name, err: error }, 'tool call failed');
    }
    return failed(error, tool);
  }
}

function requireClient(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('cancelled', 'the client has disconnected');
}

const tooLate = ({ listing }: Tool) =>
  new AppError('time_limit', `${listing.name} took longer than an answer may`);

const tooManyCalls = () =>
  new AppError('invalid_input', `at most ${mostCalls} tools are called for one question`);

/** A failure in the form for AI clients, without the messages of bugs. */
function failed(error: AppError, tool?: Tool): ToolOutcome {
  const { structuredContent } = failedAnswer(error, tool?.listing.name ?? '', tool?.argumentNames);
  const { code, message, ...details } = (structuredContent as { error: { code: string; message: string } })
    .error;
  return { ok: false, code, message, details };
}

/** The outcome of a successful call. Its content is made when it is read, because the built-in analyst never reads it. */
class Answered {
  readonly ok = true;
  readonly payload: object;
  readonly asOf: string;
  readonly isStale: boolean;
  readonly source: string;
  readonly #makeContent: () => Record<string, unknown>;
  readonly headline: string;
  #content: Record<string, unknown> | undefined;

  constructor(tool: Tool, payload: object, args: Record<string, unknown>) {
    const nowMs = Date.now();
    const { as_of: asOf, stale: isStale, source } = formOf(tool).facts(payload, nowMs);
    this.payload = payload;
    this.asOf = asOf;
    this.isStale = isStale;
    this.source = source;
    this.headline = tool.headline(payload, args);
    this.#makeContent = () => contentOf(tool, payload, args, nowMs);
  }

  get content(): Record<string, unknown> {
    return (this.#content ??= this.#makeContent());
  }
}

function contentOf(
  tool: Tool,
  payload: object,
  args: Record<string, unknown>,
  nowMs: number,
): Record<string, unknown> {
  const { structuredContent } = formOf(tool).answer({ payload }, args, {
    isMinimal: false,
    hasLimit: false,
    nowMs,
  });
  return structuredContent as Record<string, unknown>;
}

/** Resolves with null once the signal is aborted. */
const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
