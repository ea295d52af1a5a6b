import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';
import { choicesForm, defaultsForm, textForm } from './elicitation-forms.js';
import { fixtureTool, textResult, type FixtureTool } from './fixture-tool.js';

/** Tools that send the client a request of their own, as revision 2025-11-25 does. */
export const askingTools: readonly FixtureTool[] = [
  fixtureTool(
    'test_sampling',
    'Asks the model of the client',
    async ({ mcpReq }, { prompt }) => {
      const content = { type: 'text' as const, text: String(prompt) };
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      const answer = await mcpReq.send({ method: 'sampling/createMessage', params });
      return textResult(`LLM response: ${JSON.stringify(answer.content)}`);
    },
    { prompt: { type: 'string' } },
  ),
  fixtureTool(
    'test_elicitation',
    'Asks the user of the client',
    async (at, { message }) => elicit(at, String(message), textForm('response')),
    { message: { type: 'string' } },
  ),
  fixtureTool('test_elicitation_sep1034_defaults', 'Asks with defaults', async (at) =>
    elicit(at, 'Please review the fields', defaultsForm),
  ),
  fixtureTool('test_elicitation_sep1330_enums', 'Asks for choices', async (at) =>
    elicit(at, 'Please select options', choicesForm),
  ),
];

async function elicit(
  { mcpReq }: ServerContext,
  message: string,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
) {
  const answer = await mcpReq.send({ method: 'elicitation/create', params: { message, requestedSchema } });
  return textResult(
    `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
  );
}
