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

function answerOf(result: CallToolResult): McpTestAnswer {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    structured: result.structuredContent,
    isError: result.isError === true,
    text,
    bytes: Buffer.byteLength(JSON.stringify(result.structuredContent) + JSON.stringify(text)),
  };
}
