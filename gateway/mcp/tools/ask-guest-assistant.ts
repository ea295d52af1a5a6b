import { askGuestAssistant } from '../../operations/assistant/ask-assistant.js';
import { defineTool } from '../tool.js';

export const askGuestAssistantTool = defineTool({
  name: 'ask_guest_assistant',
  operation: askGuestAssistant,
  headline: ({ response }) => response,
});
