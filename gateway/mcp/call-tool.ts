import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JobProgress } from '../../jobs/requests/job-client.js';
import { traced, traceFields } from '../../storage/process/tracing.js';
import type { Deps } from '../context.js';
import { understoodInput } from '../understood-input.js';
import { answerForm } from './answers/answer-form.js';
import { failedAnswer } from './answers/failed-answer.js';
import { ExchangeCaller, type McpExchange } from './exchange.js';
import { LateAnswers, lateAnswerScope, lateAnswerTool } from './late-answers.js';
import { readArguments } from './tool-arguments.js';
import type { Tool } from './tool.js';
import type { ToolListing } from './catalogue.js';
import { isTableValue } from './answers/structured-form.js';
import { onceFor } from '../../storage/process/once.js';
import { asAppError } from '../answers/failure-answer.js';

/** A long call answers after this time with an id to fetch its result by: many clients give up after a minute. */
const defaultWaitMs = 45_000;

/** A call of a tool, checked for access and paid. */
export interface ToolCall {
  tool: Tool;
  args: unknown;
  exchange: McpExchange;
  /** Returns the signal that ends the call: the client has cancelled it or has disconnected. */
  ending: () => AbortSignal;
  /** Absent where the client wants no progress. */
  onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** The form of a tool's answers, made at first use. */
export const formOf = onceFor(answerForm);

/**
 * Answers a call. It never rejects: an error is an answer that says what is wrong and what helps. A long call of a user
 * answers after 45 s with an id to fetch its result by, and goes on, if the token allows to fetch it.
 */
export async function callTool(call: ToolCall, deps: Deps): Promise<CallToolResult> {
  const started = performance.now();
  const outcome = (name: string) =>
    deps.metrics?.toolCalled(call.tool.listing.name, name, performance.now() - started);
  const answer = traced(deps.tracing, `tool ${call.tool.listing.name}`, {}, () => run(call, deps)).then(
    (result) => (outcome('answered'), result),
    (error: unknown) => failure(error, call, deps, outcome),
  );
  const { user, scopes } = call.exchange;
  if (!user || call.tool.operation.isLong !== true || !scopes.has(lateAnswerScope)) return answer;
  return withinWait(answer, deps.callWaitMs ?? defaultWaitMs, () =>
    deps.lateAnswers.promise(user.userId, answer),
  );
}

async function run(call: ToolCall, deps: Deps): Promise<CallToolResult> {
  const { tool, exchange } = call;
  const args = readArguments(tool.listing, call.args);
  const { user } = exchange;
  if (user && tool.listing.name === lateAnswerTool && LateAnswers.isId(args.backtestId))
    return deps.lateAnswers.find(user.userId, args.backtestId);
  const answer = await answered(call, args, deps);
  const rows = rowsThatFit(tool.listing, answer);
  if (rows === null || rows >= Number(args.limit)) return answer;
  // A smaller page says itself where the next one begins.
  const page = await answered(call, { ...args, limit: rows }, deps);
  if ('cursor' in tool.listing.inputSchema.properties) return page;
  const { content, structuredContent } = page;
  const [said, ...links] = content;
  if (said.type !== 'text') return page;
  const note = `Only ${rows} of the ${Number(args.limit)} rows asked for fit into an answer.`;
  return {
    ...page,
    content: [{ ...said, text: said.text.replace('\n', ` ${note}\n`) }, ...links],
    structuredContent: { ...(structuredContent as object), truncated: true },
  };
}

/** Runs the operation of a tool and makes its answer. */
async function answered(
  { tool, args: given, exchange, ending, onProgress }: ToolCall,
  args: Record<string, unknown>,
  deps: Deps,
): Promise<CallToolResult> {
  const input = await understoodInput(tool.operation.input, tool.input(args), deps);
  const slot = exchange.slot();
  const result = await slot.hold(() =>
    tool.operation.handle(input, deps, new ExchangeCaller(exchange, ending, () => slot.leave(), onProgress)),
  );
  const options = {
    isMinimal: exchange.selection.fields === 'minimal',
    hasLimit: Object.hasOwn(given ?? {}, 'limit'),
    nowMs: Date.now(),
  };
  return formOf(tool).answer(result, args, options);
}

function failure(
  caught: unknown,
  { tool, exchange }: ToolCall,
  { log }: Deps,
  outcome: (name: string) => void,
): CallToolResult {
  const error = asAppError(caught);
  outcome(error.code);
  const { name } = tool.listing;
  const { requestId, trace } = exchange.state;
  if (error.kind === 'bug')
    log.error({ traceId: requestId, ...traceFields(trace), tool: name, err: error }, 'tool call failed');
  return failedAnswer(error, name, tool.argumentNames);
}

/** The answer if it comes in time, else one that says how to fetch it. Waits on if Redis can't keep it for later. */
async function withinWait(
  answer: Promise<CallToolResult>,
  waitMs: number,
  promise: () => Promise<string>,
): Promise<CallToolResult> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), waitMs);
  });
  const first = await Promise.race([answer, waited]);
  clearTimeout(timer);
  return first ?? promise().then(laterAnswer, () => answer);
}

const laterAnswer = (id: string): CallToolResult => ({
  isError: true,
  content: [
    {
      type: 'text',
      text: `still_running: the call goes on in the background. Call get_backtest_result with backtest_id "${id}" in a few seconds.`,
    },
  ],
  structuredContent: {
    error: {
      code: 'still_running',
      message: 'the call goes on in the background',
      backtest_id: id,
      retry_after_seconds: 5,
      try_next: 'get_backtest_result',
    },
  },
});

/**
 * How many rows of its page an answer of limited size holds; null if it holds the whole page, or if the tool has no pages.
 * The cursor, or the end of the page before, of a page that was cut would skip the rows that were left out.
 */
function rowsThatFit(
  { inputSchema }: ToolListing,
  { structuredContent: content = {} }: CallToolResult,
): number | null {
  const { truncated, ...fields } = content as Record<string, unknown>;
  const { cursor, end_time: endTime } = inputSchema.properties;
  if (truncated !== true || (cursor ?? endTime) === undefined) return null;
  const counts = Object.values(fields).map((each) => (isTableValue(each) ? each.rows.length : 0));
  // One row leaves room for what is said of those that are left out.
  return Math.max(...counts) - (cursor === undefined ? 1 : 0) || null;
}
