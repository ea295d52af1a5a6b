import type {
  CallToolRequest,
  CallToolResult,
  GetPromptRequest,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';

/** A result, or what the client is asked for first. */
type ResultOrQuestion<Result> = Promise<Result | InputRequiredResult>;

/** What the connector answers to the methods of the protocol that are not the SDK's own. */
export interface McpMethods {
  listTools: (at: ServerContext) => Tool[];
  callTool: (params: CallToolRequest['params'], at: ServerContext) => ResultOrQuestion<CallToolResult>;
  listPrompts: () => Prompt[];
  getPrompt: (params: GetPromptRequest['params'], at: ServerContext) => ResultOrQuestion<GetPromptResult>;
  listResources: () => Resource[];
  listResourceTemplates: () => ResourceTemplateType[];
  readResource: (uri: string, at: ServerContext) => Promise<ReadResourceResult>;
}

/** Lets the server answer by the methods. */
export function answerMethods(server: Server, methods: McpMethods): void {
  server.setRequestHandler('tools/list', async (_request, at) => ({ tools: methods.listTools(at) }));
  server.setRequestHandler('tools/call', ({ params }, at) => methods.callTool(params, at));
  server.setRequestHandler('prompts/list', async () => ({ prompts: methods.listPrompts() }));
  server.setRequestHandler('prompts/get', ({ params }, at) => methods.getPrompt(params, at));
  server.setRequestHandler('resources/list', async () => ({ resources: methods.listResources() }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: methods.listResourceTemplates(),
  }));
  server.setRequestHandler('resources/read', ({ params }, at) => methods.readResource(params.uri, at));
}
