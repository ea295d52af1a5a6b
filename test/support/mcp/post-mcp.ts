/** What the connector answers to an HTTP request. */
export interface McpHttpAnswer {
  status: number;
  headers: Headers;
  // Tests look into answers of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const defaultHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Sends one HTTP request to the connector as a client of revision 2025-11-25 would; a text is sent as it is. */
export async function postMcp(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<McpHttpAnswer> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...defaultHeaders, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    ...init,
  });
  return { status: answer.status, headers: answer.headers, body: bodyOf(await answer.text()) };
}

/** The JSON of a body, of an event stream that of its last event; undefined for an empty one. */
function bodyOf(text: string): unknown {
  const last = text.startsWith('{') || text.startsWith('[') ? text : /data: (\{.*\})\s*$/.exec(text)?.[1];
  return last === undefined ? undefined : JSON.parse(last);
}

/** A request of the protocol. */
export const rpc = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** A call of a tool. */
export const toolCall = (name: string, args: object = {}, id: number | string = 1) =>
  rpc('tools/call', { name, arguments: args }, id);

const initialize = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** The id of a session made for the sender. */
export async function openMcpSession(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await postMcp(url, initialize, headers);
  return answer.headers.get('mcp-session-id') ?? '';
}

/** The notification that cancels a request. */
export const cancellation = (requestId: number | string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
