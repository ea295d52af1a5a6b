import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Deps } from '../../context.js';
import type { Tool } from '../../mcp/tool.js';
import type { ToolOutcome } from '../toolbox.js';

/** The outcome of a call that goes on after the answer. The result is kept for the user under an id, for an hour. */
export async function lateOutcome(
  { lateAnswers }: Pick<Deps, 'lateAnswers'>,
  userId: string,
  { listing }: Tool,
  answer: Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const id = await lateAnswers.promise(userId, answer.then(toResult));
  return {
    ok: false,
    code: 'still_running',
    message: `${listing.name} goes on; ask again in a minute, or call get_backtest_result with backtest_id "${id}"`,
    details: { backtest_id: id, retry_after_seconds: 5, try_next: 'get_backtest_result' },
  };
}

/** The outcome as a tool result of the connector. */
function toResult(outcome: ToolOutcome): CallToolResult {
  if (outcome.ok)
    return {
      content: [{ type: 'text', text: JSON.stringify(outcome.content) }],
      structuredContent: outcome.content,
    };
  const { code, message, details } = outcome;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message, ...details } },
  };
}
