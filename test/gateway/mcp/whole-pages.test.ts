import assert from 'node:assert/strict';
import { callTool } from '../../../gateway/mcp/call-tool.js';
import type { McpExchange } from '../../../gateway/mcp/exchange.js';
import { readToolSelection } from '../../../gateway/mcp/tool-selection.js';
import { toolNamed } from '../../../gateway/mcp/tools.js';
import type { Tool } from '../../../gateway/mcp/tool.js';
import type { Deps } from '../../../gateway/context.js';

const rowCount = 300;
const trades = Array.from({ length: rowCount }, (_, n) => ({
  parent_signal_id: `signal-${n}`,
  reason: 'x'.repeat(200),
}));

/** The tool that lists trades, over 300 long ones; the cursor is the number of the next. */
const tool: Tool = (() => {
  const listed = toolNamed('list_trades')!;
  const operation: Tool['operation'] = {
    ...listed.operation,
    handle: async (input) => {
      const { limit, cursor } = input as { limit: number; cursor?: string };
      const from = Number(cursor ?? 0);
      const end = from + limit;
      const nextCursor = end < rowCount ? String(end) : null;
      return { payload: { trades: trades.slice(from, end), nextCursor } };
    },
  };
  return { ...listed, operation };
})();

const exchange = {
  user: null,
  scopes: new Set(),
  state: { requestId: 'test', address: '127.0.0.1', network: '127.0.0.1' },
  selection: readToolSelection(new URLSearchParams(), () => ''),
  slot: () => ({ hold: (work: () => unknown) => work(), leave: () => undefined }),
} as unknown as McpExchange;

interface Page {
  trades: { rows: unknown[][]; columns: string[] };
  next_cursor: string | null;
  truncated?: boolean;
}

const page = async (args: object): Promise<Page> => {
  const ending = () => new AbortController().signal;
  const { structuredContent } = await callTool({ tool, args, exchange, ending }, {} as Deps);
  return structuredContent as Page;
};

describe('a page of a list that is larger than an answer', () => {
  it('holds fewer rows, and its cursor goes on after the last of them', async () => {
    const read: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const {
        trades: table,
        next_cursor: next,
        truncated,
      } = await page({ limit: 200, ...(cursor && { cursor }) });
      assert.equal(truncated, undefined);
      assert.ok(table.rows.length >= 10, `${table.rows.length} rows`);
      read.push(...table.rows.map((row) => row[table.columns.indexOf('parent_signal_id')]));
      cursor = next;
    } while (cursor !== null);
    assert.deepEqual(
      read,
      trades.map((trade) => trade.parent_signal_id),
    );
  });
});
