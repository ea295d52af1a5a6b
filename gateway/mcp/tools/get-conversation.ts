import { getConversation } from '../../operations/assistant/get-conversation.js';
import { defineTool } from '../tool.js';

export const getConversationTool = defineTool({
  name: 'get_conversation',
  operation: getConversation,
  headline: ({ conversation, messages, conversations }) => {
    if (conversation) return `The last ${messages.length} messages of ${conversation.turns} questions.`;
    return conversations.length === 0
      ? 'You have no conversations yet.'
      : `${conversations.length} conversations.`;
  },
});
