import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AppError } from '../../../compute/model/errors.js';
import type { JsonSchema } from '../../openapi/json-schema.js';
import { retryAfter } from '../../answers/envelope.js';
import { snakeCase } from '../key-case.js';

/** What a model reads about a failed call. */
interface ToolFailure {
  code: string;
  message: string;
  /** The argument at fault. */
  field?: string;
  allowed?: string;
  nearest?: string;
  retry_after_seconds?: number;
  /** The tool that helps to correct the call. */
  try_next?: string;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });

export const failureSchema: JsonSchema = {
  type: 'object',
  description: 'present instead of all other fields if the call failed',
  properties: {
    code: text('stable code of the error'),
    message: text('what is wrong'),
    field: text('argument at fault'),
    allowed: text('allowed values'),
    nearest: text('valid value that was probably meant'),
    retry_after_seconds: { type: 'number', description: 'seconds to wait before the next try' },
    try_next: text('tool that helps'),
    backtest_id: text('for still_running: the id by which get_backtest_result fetches the result'),
  },
  required: ['code', 'message'],
};

/** Codes that the connector calls otherwise. */
const connectorCodes: Partial<Record<string, string>> = { rate_limited: 'limit_reached' };

/** The tool that lists the allowed values of an argument. */
const listingTools: Readonly<Record<string, string>> = {
  asset: 'list_assets',
  assets: 'list_assets',
  coin: 'list_assets',
  second_asset: 'list_assets',
  weights: 'list_assets',
  trade_market: 'list_assets',
  exchange: 'list_exchanges',
  conditions: 'list_indicators',
  indicators: 'list_indicators',
  sort_by: 'list_indicators',
  strategy: 'list_backtest_strategies',
  strategies: 'list_backtest_strategies',
  params: 'list_backtest_strategies',
  backtest_id: 'get_backtest_result',
  order_id: 'list_orders',
  parent_signal_id: 'list_signals',
  channel: 'get_channel_performance',
};

/** The tool that helps with an error that no argument causes. */
const helpByCode: Partial<Record<string, string>> = {
  market_filling: 'get_data_status',
  price_stale: 'get_data_status',
  not_enough_history: 'get_data_status',
  unknown_backtest: 'get_backtest_result',
  unknown_order: 'list_orders',
  unknown_signal: 'list_signals',
};

/**
 * The answer to a failed call, for a model to read. The messages of bugs are not shown. `argumentNames` has the arguments
 * that the operation names differently, by the operation's field.
 */
export function failedAnswer(
  error: AppError,
  toolName: string,
  argumentNames: Readonly<Record<string, string>> = {},
): CallToolResult {
  const failure = failureOf(error, toolName, argumentNames);
  const { message, try_next: next, retry_after_seconds: seconds } = failure;
  const hints = [
    ...(seconds === undefined || /try again in \d/.test(message) ? [] : [`Try again in ${seconds} s.`]),
    ...(next === undefined ? [] : [`The tool ${next} helps.`]),
  ];
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text: [`${failure.code}: ${/[.?!]$/.test(message) ? message : `${message}.`}`, ...hints].join(' '),
      },
    ],
    structuredContent: { error: failure },
  };
}

function failureOf(
  error: AppError,
  toolName: string,
  argumentNames: Readonly<Record<string, string>>,
): ToolFailure {
  const isBug = error.kind === 'bug';
  const { field, allowed, nearest } = error.details;
  const named =
    field === undefined
      ? undefined
      : (ownEntry(argumentNames, String(field)) ?? String(field).replace(fieldName, snakeCase));
  const seconds = retryAfter(error);
  const helper = ownEntry(listingTools, named?.split(/[.[]/)[0] ?? '') ?? helpByCode[error.code];
  return {
    code: isBug ? 'unexpected' : (connectorCodes[error.code] ?? error.code),
    message: isBug ? 'unexpected error' : withArgumentNames(error.message, argumentNames),
    ...(named === undefined ? {} : { field: named }),
    ...(allowed === undefined ? {} : { allowed: String(allowed) }),
    ...(nearest === undefined ? {} : { nearest: String(nearest) }),
    ...(seconds === null ? {} : { retry_after_seconds: seconds }),
    ...(helper === undefined || helper === toolName ? {} : { try_next: helper }),
  };
}

/** Names of fields, not the data between them, such as the symbols of `weights.BTC`. */
const fieldName = /\b[a-z]\w*/g;

/** The entry of a record; undefined for names that every object inherits, such as `constructor`, which clients may send. */
const ownEntry = (record: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Messages of operations name their fields in camelCase and in quotes; a tool's arguments are in snake_case. */
const withArgumentNames = (message: string, argumentNames: Readonly<Record<string, string>>): string =>
  message.replace(/^"([a-z]+)"|"([a-z]+(?:[A-Z][a-z\d]*)+)"/g, (_, first?: string, camel?: string) =>
    camel === undefined ? `"${ownEntry(argumentNames, first!) ?? first}"` : `"${snakeCase(camel)}"`,
  );
