import { field, type Values } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';
import { readCursor, writeCursor } from '../page-cursor.js';
import { conversationFields, conversationView } from './conversation-fields.js';

/** Which page of the conversations. */
export const conversationPageFields = {
  limit: field.integer('most entries of the answer', { min: 1, max: 100, default: 20 }),
  cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), { default: null }),
};

const output = {
  conversations: field.list('the latest first', field.object('a conversation', conversationFields)),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

/** A place in the order of conversations: time and id. */
export const conversationPlace = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z [\w-]{24}$/;

/** The conversations of the user. */
export const listConversations = describedOperation({
  id: 'list-conversations',
  summary: 'Your conversations with the assistant, the latest first; 200 are kept.',
  scope: 'user',
  tokenScope: 'ask:assistant',
  isLight: true,
  input: conversationPageFields,
  output,
  leadsTo: ['read-conversation', 'delete-conversation'].map((to) => ({
    to,
    fields: { id: 'payload/conversations/0/conversationId' as const },
  })),
  async handle({ limit, cursor }, { storage }, { user }) {
    const after = readCursor(cursor ?? undefined, conversationPlace);
    const { conversations, next } = await storage.conversations.list(user!.userId, { limit, after });
    const payload: Values<typeof output> = {
      conversations: conversations.map(conversationView),
      nextCursor: writeCursor(next),
    };
    return { payload };
  },
});
