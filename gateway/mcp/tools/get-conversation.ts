import { countOf } from '../../../compute/model/count-of.js';
import { getConversation } from '../../operations/assistant/get-conversation.js';
import { defineTool } from '../tool.js';

export const getConversationTool = defineTool({
  name: 'get_conversation',
  operation: getConversation,
  headline: ({ conversation, messages, conversations }) => {
    if (conversation)
      return `The last ${countOf(messages.length, 'message')} of a conversation with ${countOf(conversation.turns, 'question')}.`;
    return conversations.length === 0
      ? 'You have no conversations yet.'
      : `${countOf(conversations.length, 'conversation')}, the newest first.`;
  },
});
