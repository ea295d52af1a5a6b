import {
  acceptedContent,
  inputRequired,
  type ContentBlock,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { textForm } from './elicitation-forms.js';
import { redPixel } from './test-media.js';

/** A prompt that the conformance suite asks for. */
export interface FixturePrompt {
  listing: Prompt;
  get: (args: Readonly<Record<string, string>>, at: ServerContext) => GetPromptResult | InputRequiredResult;
}

const fixturePrompt = (
  name: string,
  description: string,
  names: readonly string[],
  get: FixturePrompt['get'],
): FixturePrompt => ({
  listing: { name, description, arguments: names.map((each) => ({ name: each, required: true })) },
  get,
});

const asked = (...contents: ContentBlock[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

const text = (words: string): ContentBlock => ({ type: 'text', text: words });

export const fixturePrompts: readonly FixturePrompt[] = [
  fixturePrompt('test_simple_prompt', 'A text', [], () =>
    asked(text('This is a simple prompt for testing.')),
  ),
  fixturePrompt('test_prompt_with_arguments', 'A text with arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) =>
    asked(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ),
  fixturePrompt('test_prompt_with_embedded_resource', 'A resource', ['resourceUri'], ({ resourceUri: uri }) =>
    asked(
      { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' } },
      text('Please process the embedded resource above.'),
    ),
  ),
  fixturePrompt('test_prompt_with_image', 'An image', [], () =>
    asked({ type: 'image', data: redPixel, mimeType: 'image/png' }, text('Please analyze the image above.')),
  ),
  fixturePrompt('test_input_required_result_prompt', 'Asks first', [], (_args, { mcpReq }) => {
    const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (given) return asked(text(`Use the following context: ${given.context}`));
    const requestedSchema = textForm('context');
    const question = inputRequired.elicit({ message: 'What context should it use?', requestedSchema });
    return inputRequired({ inputRequests: { user_context: question } });
  }),
];
