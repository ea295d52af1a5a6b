import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';

/** A tool that the conformance suite calls. */
export interface FixtureTool {
  listing: Tool;
  call: (
    at: ServerContext,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<CallToolResult | InputRequiredResult>;
}

/** A tool with the arguments of a JSON Schema's `properties`. */
export const fixtureTool = (
  name: string,
  description: string,
  call: FixtureTool['call'],
  properties: Record<string, object> = {},
): FixtureTool => ({
  listing: { name, description, inputSchema: { type: 'object', properties } as Tool['inputSchema'] },
  call,
});

/** A result of one text. */
export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
