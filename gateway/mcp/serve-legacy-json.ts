import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpServerFactory,
} from '@modelcontextprotocol/server';

/**
 * Answers a request of a revision up to 2025-11-25 with one JSON body. The SDK's own way answers each such request with an
 * event stream, which costs twice as much, is not compressed, and is needed only for progress.
 */
export async function serveLegacyJson(
  factory: McpServerFactory,
  request: Request,
  { authInfo, parsedBody }: { authInfo: AuthInfo; parsedBody: unknown },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = await factory({ era: 'legacy', authInfo, requestInfo: request });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { authInfo, parsedBody });
  } finally {
    void server.close().catch(() => undefined);
  }
}
