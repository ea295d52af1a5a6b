import type { Server } from '@modelcontextprotocol/server';
import type { McpMethods } from '../../../gateway/mcp/methods.js';
import { askingTools } from './conformance/asking-tools.js';
import { awaitClientAnswers } from './conformance/client-answers.js';
import { contentTools } from './conformance/content-tools.js';
import { fixturePrompts } from './conformance/fixture-prompts.js';
import { fixtureResources, fixtureTemplates, readFixture } from './conformance/fixture-resources.js';
import { inputRequiredTools } from './conformance/input-required-tools.js';
import { notifyingTools } from './conformance/notifying-tools.js';
import { schemaTool } from './conformance/schema-tool.js';

const tools = [...contentTools, ...notifyingTools, ...askingTools, ...inputRequiredTools, schemaTool];

/**
 * Answers what the conformance suite asks for beside what the connector answers: tools, prompts and resources of the
 * suite's own, and the features of the protocol that the connector does not have: logs, completion, subscriptions and
 * requests to the client.
 */
export function conformanceFixtures(server: Server, own: McpMethods): McpMethods {
  server.registerCapabilities({ logging: {}, completions: {}, resources: { subscribe: true } });
  server.setRequestHandler('logging/setLevel', async () => ({}));
  server.setRequestHandler('resources/subscribe', async () => ({}));
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  awaitClientAnswers(server);
  return {
    listTools: (at) => [...own.listTools(at), ...tools.map(({ listing }) => listing)],
    callTool(params, at) {
      const fixture = tools.find(({ listing }) => listing.name === params.name);
      return fixture ? fixture.call(at, params.arguments ?? {}) : own.callTool(params, at);
    },
    listPrompts: () => [...own.listPrompts(), ...fixturePrompts.map(({ listing }) => listing)],
    async getPrompt(params, at) {
      const fixture = fixturePrompts.find(({ listing }) => listing.name === params.name);
      return fixture ? fixture.get(params.arguments ?? {}, at) : own.getPrompt(params, at);
    },
    listResources: () => [...own.listResources(), ...fixtureResources],
    listResourceTemplates: () => [...own.listResourceTemplates(), ...fixtureTemplates],
    readResource: async (uri, at) => readFixture(uri) ?? own.readResource(uri, at),
  };
}
