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

/** A result, or a request for input that the client has to answer first. */
type ResultOrInputRequest<Result> = Promise<Result | InputRequiredResult>;

/** The connector's answers to the methods of the protocol that the SDK does not answer itself. */
export interface McpMethods {
  listTools: (at: ServerContext) => Tool[];
  callTool: (params: CallToolRequest['params'], at: ServerContext) => ResultOrInputRequest<CallToolResult>;
  listPrompts: () => Prompt[];
  getPrompt: (params: GetPromptRequest['params'], at: ServerContext) => ResultOrInputRequest<GetPromptResult>;
  listResources: () => Resource[];
  listResourceTemplates: () => ResourceTemplateType[];
  readResource: (uri: string, at: ServerContext) => Promise<ReadResourceResult>;
}

/** Registers the methods at the server object. */
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
