import { field } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';
import { conversationFields, conversationView, messageFields, messagesView } from './conversation-fields.js';

/** A conversation of the user. */
export const readConversation = describedOperation({
  id: 'read-conversation',
  summary: 'The latest messages of one of your conversations with the assistant.',
  scope: 'user',
  tokenScope: 'ask:assistant',
  isLight: true,
  input: { id: field.text('id of the conversation', { maxLength: 100, example: 'text' }) },
  output: { ...conversationFields, ...messageFields },
  errors: ['unknown_conversation'],
  async handle({ id }, { storage }, { user }) {
    const found = await storage.conversations.find(user!.userId, id);
    return { payload: { ...conversationView(found), ...messagesView(found) } };
  },
});
