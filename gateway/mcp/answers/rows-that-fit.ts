import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolListing } from '../catalogue.js';
import { isTableValue } from './structured-form.js';

/**
 * How many rows of its page an answer of limited size holds; null if it holds the whole page, or if the tool has no pages.
 * The cursor, or the end of the page before, of a page that was cut would skip the rows that were left out.
 */
export function rowsThatFit(
  { inputSchema }: ToolListing,
  { structuredContent: content = {} }: CallToolResult,
): number | null {
  const { truncated, ...fields } = content as Record<string, unknown>;
  const { cursor, end_time: endTime } = inputSchema.properties;
  if (truncated !== true || (cursor ?? endTime) === undefined) return null;
  const counts = Object.values(fields).map((each) => (isTableValue(each) ? each.rows.length : 0));
  return Math.max(...counts) || null;
}
