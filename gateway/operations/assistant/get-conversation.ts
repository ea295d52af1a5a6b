import { field, type Values } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';
import { readCursor, writeCursor } from '../page-cursor.js';
import { conversationFields, conversationView, messageFields, messagesView } from './conversation-fields.js';
import { conversationPageFields, conversationPlace } from './list-conversations.js';

const input = {
  conversationId: field.nullable(
    field.text('id of the conversation; null: the list of them', { maxLength: 100 }),
    { default: null },
  ),
  ...conversationPageFields,
};

const output = {
  conversation: field.nullable(
    field.object('the conversation that was asked for; null for the list', conversationFields),
  ),
  ...messageFields,
  conversations: field.list(
    'the conversations, the latest first; empty where one was asked for',
    field.object('a conversation', conversationFields),
  ),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

/** The conversations of the user, or the latest messages of one. */
export const getConversation = describedOperation({
  id: 'get-conversation',
  summary: 'Your conversations with the assistant, or the messages of one.',
  scope: 'user',
  tokenScope: 'ask:assistant',
  isLight: true,
  input,
  output,
  errors: ['unknown_conversation'],
  async handle({ conversationId, limit, cursor }, { storage }, { user }) {
    const { userId } = user!;
    if (conversationId !== null) {
      const found = await storage.conversations.find(userId, conversationId);
      const { earlier, messages } = messagesView(found);
      const payload: Values<typeof output> = {
        conversation: conversationView(found),
        earlier,
        messages: messages.slice(-limit),
        conversations: [],
        nextCursor: null,
      };
      return { payload };
    }
    const after = readCursor(cursor ?? undefined, conversationPlace);
    const { conversations, next } = await storage.conversations.list(userId, { limit, after });
    const payload: Values<typeof output> = {
      conversation: null,
      earlier: null,
      messages: [],
      conversations: conversations.map(conversationView),
      nextCursor: writeCursor(next),
    };
    return { payload };
  },
});
