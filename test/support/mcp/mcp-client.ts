import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
} from '@modelcontextprotocol/client';

/** A client of the protocol's authors, connected to the connector of a service. */
export interface McpTestClient {
  client: Client;
  /** Calls a tool and answers its structured content, whether it failed, and its text. */
  call: (name: string, args?: Record<string, unknown>) => Promise<McpTestAnswer>;
  close: () => Promise<void>;
}

export interface McpTestAnswer {
  // Tests look into answers of every tool.
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any;
  isError: boolean;
  text: string;
  bytes: number;
}

export async function connectMcp(
  url: string,
  headers: Record<string, string> = {},
  query = '',
  options: ClientOptions = {},
): Promise<McpTestClient> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), {
    requestInit: { headers },
    fetch: fetchUnderOwnSignal,
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      return answerOf(await client.callTool({ name, arguments: args }));
    },
    close: () => client.close(),
  };
}

/**
 * A request under a signal of its own, which is aborted with that of the client. Each request under one signal adds a listener to
 * it until its memory is freed: after 1,500 requests in quick succession, Node warns at each of a leak.
 */
const fetchUnderOwnSignal = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
  fetch(url, init.signal ? { ...init, signal: AbortSignal.any([init.signal]) } : init);

function answerOf(result: CallToolResult): McpTestAnswer {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    structured: result.structuredContent,
    isError: result.isError === true,
    text,
    bytes: Buffer.byteLength(JSON.stringify(result.structuredContent) + JSON.stringify(text)),
  };
}
