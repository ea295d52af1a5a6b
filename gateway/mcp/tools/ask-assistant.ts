import { askAssistant } from '../../operations/assistant/ask-assistant.js';
import { defineTool } from '../tool.js';

export const askAssistantTool = defineTool({
  name: 'ask_assistant',
  operation: askAssistant,
  headline: ({ response }) => response,
});
