import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ResourceLink,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { csvText } from '../../operations/csv-table.js';
import { roundFigures } from '../../../compute/model/round-figures.js';
import { asAppError } from '../../answers/failure-answer.js';
import type { Caller, Deps } from '../../context.js';
import { backtestEquity, backtestTrades } from '../../operations/backtests/backtest-tables.js';
import type { McpAccess } from '../exchange.js';

const tables = { trades: backtestTrades, equity: backtestEquity };

type Part = keyof typeof tables;

const mimeType = 'text/csv';
const titles: Record<Part, string> = {
  trades: 'all trades, the oldest first; returns in percent',
  equity: 'the whole equity curve, the oldest first',
};
const parts = Object.keys(tables) as Part[];
const form = new RegExp(`^tidemark://backtests/([0-9a-f]{64})/(${parts.join('|')})\\.csv$`);

/** Whether a resource is a table of a stored backtest. Reading one costs points, as it does over REST. */
export const isBacktestTable = (uri: unknown): boolean => typeof uri === 'string' && form.test(uri);

/** Points that reading a table costs. */
export const tableCost = Math.max(...Object.values(tables).map(({ cost }) => cost));

/** The URI templates of the tables of stored backtests. */
export const backtestTemplates: ResourceTemplateType[] = parts.map((part) => ({
  uriTemplate: `tidemark://backtests/{backtest_id}/${part}.csv`,
  name: `backtest-${part}`,
  title: `Backtest: ${part}`,
  description: `One of your stored backtests as CSV: ${titles[part]}.`,
  mimeType,
}));

/** Links to the tables of a stored backtest, which are too large for an answer. */
export const backtestLinks = (id: string): ResourceLink[] =>
  parts.map((part) => ({
    type: 'resource_link',
    uri: `tidemark://backtests/${id}/${part}.csv`,
    name: `backtest-${part}`,
    description: titles[part],
    mimeType,
  }));

/**
 * A table of a stored backtest of the caller. Throws ResourceNotFoundError for a backtest of another user, for a guest, and
 * for a token without read:analysis; throws a ProtocolError for every other failure.
 */
export async function readBacktestTable(
  uri: string,
  { user, scopes }: McpAccess,
  caller: Caller,
  deps: Deps,
): Promise<TextResourceContents> {
  const [, id, part] = form.exec(uri) ?? [];
  if (!user || !scopes.has('read:analysis') || id === undefined) throw new ResourceNotFoundError(uri);
  try {
    const { payload } = await tables[part as Part].handle({ id }, deps, caller);
    return { uri, mimeType, text: csvText(roundFigures(payload)) };
  } catch (error) {
    throw refusal(error, uri, caller.requestId, deps);
  }
}

/** The error for the client. The message of a bug is logged, not shown. */
function refusal(caught: unknown, uri: string, requestId: string, { log }: Pick<Deps, 'log'>): ProtocolError {
  const error = asAppError(caught);
  if (error.kind === 'missing') return new ResourceNotFoundError(uri);
  if (error.kind !== 'bug')
    return new ProtocolError(ProtocolErrorCode.InternalError, `${error.code}: ${error.message}`);
  log.error({ traceId: requestId, err: error }, 'reading a resource failed');
  return new ProtocolError(ProtocolErrorCode.InternalError, 'unexpected error');
}
