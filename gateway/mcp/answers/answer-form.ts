import type { CallToolResult } from '@modelcontextprotocol/server';
import { intervalMs, intervals as allIntervals, type Interval } from '../../../compute/model/interval.js';
import { roundFigures } from '../../../compute/model/round-figures.js';
import { jsonSchemaOf, type JsonSchema } from '../../openapi/json-schema.js';
import type { OperationResult } from '../../operation.js';
import { lateAnswerTool } from '../late-answers.js';
import type { Tool } from '../tool.js';
import { answerText, usualRows } from './answer-text.js';
import { AnswerCache } from './answer-cache.js';
import { failureSchema } from './failed-answer.js';
import { fitSize } from './fit-size.js';
import { isTableValue, structuredForm, type Table } from './structured-form.js';

/** Most columns of a table in a minimal answer. */
const fewColumns = 5;

/**
 * The content for `fields=minimal`: optional fields that are null are left out, and top-level tables keep their first
 * columns. The rest still matches the published schema.
 */
function minimalContent(
  content: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> {
  const kept = Object.entries(content).filter(([name, value]) => required.includes(name) || value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isTableValue(value) ? narrowed(value) : value]),
  );
}

const narrowed = ({ columns, rows }: Table): Table => ({
  columns: columns.slice(0, fewColumns),
  rows: rows.map((row) => row.slice(0, fewColumns)),
});

/** How far the newest candle may lie back beyond its interval before an answer counts as stale. */
const graceMs = 5 * 60_000;

/** The fields of every answer about its data. */
const aboutData: Record<string, JsonSchema> = {
  as_of: { type: 'string', format: 'date-time', description: 'time that the answer is about' },
  stale: { type: 'boolean', description: 'whether newer data is overdue' },
  warmup_ok: { type: 'boolean', description: 'whether indicators had their usual history' },
  source: { type: 'string', description: 'where the data come from' },
};

const truncated: JsonSchema = {
  type: 'boolean',
  description: 'true if rows were left out because the answer was too large; absent otherwise',
};

export interface AnswerOptions {
  isMinimal: boolean;
  /** Whether the caller has said how many rows it wants: then the text has them all. */
  hasLimit: boolean;
  nowMs: number;
}

/** What the operation of a tool has answered. */
export type ToolResult = Pick<OperationResult<object>, 'payload' | 'resultId'>;

/** What an answer says about its data. */
export interface DataFacts {
  as_of: string;
  stale: boolean;
  warmup_ok: boolean;
  source: string;
}

/** Makes the answers of one tool, and has the schema of their structured content. */
export interface AnswerForm {
  outputSchema: JsonSchema;
  /** What the answer to a payload says about its data. */
  facts: (payload: object, nowMs: number) => DataFacts;
  answer: (result: ToolResult, args: Record<string, unknown>, options: AnswerOptions) => CallToolResult;
}

/** The answers of a tool, by the output of its operation. Made once per tool. */
export function answerForm(tool: Tool): AnswerForm {
  const { schema, convert } = structuredForm(jsonSchemaOf(tool.operation.output));
  const { properties = {}, required = [] } = schema;
  const { stale: count, ...own } = properties;
  const always = [
    ...Object.keys(aboutData),
    ...required.filter((name) => !(name in aboutData)),
    ...(count && required.includes('stale') ? ['stale_assets'] : []),
  ];
  const fields = {
    ...aboutData,
    ...own,
    as_of: aboutData.as_of,
    ...(count ? { stale_assets: count } : {}),
  };
  const outputSchema = outputSchemaOf(tool.listing.name, fields, always);
  const make = (
    payload: object,
    args: Record<string, unknown>,
    about: DataFacts,
    { isMinimal, hasLimit }: AnswerOptions,
  ): CallToolResult => {
    // The payload's time may be null; the time of `about` never is.
    const { stale, as_of: _, ...rest } = convert(roundFigures(payload)) as Record<string, unknown>;
    const whole = {
      ...about,
      ...rest,
      ...(stale === undefined ? {} : { stale_assets: stale }),
    };
    const structured = isMinimal ? minimalContent(whole, always) : whole;
    const headline = tool.headline(payload, args);
    const mostRows = hasLimit || !('limit' in tool.listing.inputSchema.properties) ? Infinity : usualRows;
    const text = (content: Record<string, unknown>) =>
      isMinimal ? headline : answerText(headline, content, mostRows);
    const fitting = fitSize(
      structured,
      (content) => bytesOf(JSON.stringify(content)) + bytesOf(JSON.stringify(text(content))),
    );
    return {
      content: [{ type: 'text', text: text(fitting) }, ...tool.links(payload)],
      structuredContent: fitting,
    };
  };
  return {
    outputSchema,
    facts: (payload, nowMs) => dataFacts(tool, payload, nowMs),
    answer(result, args, options) {
      const { isMinimal, hasLimit, nowMs } = options;
      const { name, scope } = tool.listing;
      const makeAnswer = () => make(result.payload, args, dataFacts(tool, result.payload, nowMs), options);
      // Accounts are not kept in memory.
      const identity = scope === 'public' ? identityOf(result) : null;
      if (identity === null) return makeAnswer();
      return answers.of(`${JSON.stringify([name, isMinimal, hasLimit, args])}${identity}`, nowMs, () => {
        const staleAtMs = staleTime(tool, result.payload);
        return { result: makeAnswer(), isStale: nowMs > staleAtMs, staleAtMs };
      });
    },
  };
}

/** The schema of answers with these fields, some of which are always there. */
function outputSchemaOf(
  name: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema {
  const more = { truncated, error: failureSchema };
  // Some clients hold the content of errors against the schema, too.
  const failed = { required: ['error'] };
  if (name !== lateAnswerTool)
    return { type: 'object', properties: { ...properties, ...more }, anyOf: [{ required }, failed] };
  // A late answer has the fields of another tool.
  const late = { required: Object.keys(aboutData), not: { required } };
  return {
    type: 'object',
    properties: { ...aboutData, ...more },
    anyOf: [{ properties, required }, failed, late],
  };
}

const answers = new AnswerCache();

/** A text that differs between different results of equal arguments. Null for a result without a time: its answer says the present time. */
function identityOf(result: ToolResult): string | null {
  if (result.resultId !== undefined) return result.resultId;
  const { asOf } = result.payload as { asOf?: string };
  return asOf === undefined ? null : JSON.stringify(result.payload);
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

function dataFacts(tool: Tool, payload: object, nowMs: number): DataFacts {
  const { asOf, source } = payload as { asOf?: string; source?: string };
  const defaultSource = tool.listing.scope === 'read:portfolio' ? 'account' : 'service';
  return {
    as_of: asOf ?? new Date(nowMs).toISOString(),
    stale: nowMs > staleTime(tool, payload),
    warmup_ok: tool.isWarm(payload),
    source: source ?? defaultSource,
  };
}

/** The shortest interval of an answer about several intervals: the newest candle belongs to it. */
function shortestOf(payload: object): Interval | undefined {
  const { intervals } = payload as { intervals?: unknown };
  if (!Array.isArray(intervals)) return undefined;
  const named = new Set(intervals.map((each: { interval?: unknown } | null) => each?.interval));
  return allIntervals
    .filter((each) => named.has(each))
    .sort((one, other) => intervalMs(one) - intervalMs(other))[0];
}

/** When the candle after the newest one is overdue. Infinity without an interval, because no candle is expected then. */
function staleTime(tool: Tool, payload: object): number {
  const { asOf, interval } = payload as { asOf?: string; interval?: Interval };
  if (asOf !== undefined && tool.staleAfterMs !== undefined) return Date.parse(asOf) + tool.staleAfterMs;
  const known = interval ?? shortestOf(payload) ?? tool.interval;
  if (asOf === undefined || known === undefined) return Infinity;
  return Date.parse(asOf) + intervalMs(known) + graceMs;
}
