import { AppError } from '../../../compute/model/errors.js';
import { field, type Values } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';

const input = {
  conversationId: field.nullable(
    field.text('id of the conversation; null: the list of them', { maxLength: 100 }),
    {
      default: null,
    },
  ),
  limit: field.integer('most messages or conversations', { min: 1, max: 100, default: 20 }),
  cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), { default: null }),
};

const output = {
  conversations: field.list(
    'the conversations, the latest first',
    field.object('a conversation', {
      conversationId: field.text('id'),
      title: field.text('what it is about'),
      updatedAt: field.time('time of its last message'),
    }),
  ),
  nextCursor: field.nullable(field.text('for the next page; null where there is none')),
};

/** The conversations of the user. As long as the assistant answers nothing, there are none. */
export const getConversation = describedOperation({
  id: 'get-conversation',
  summary: 'Your conversations with the assistant, or the messages of one.',
  scope: 'user',
  cost: 1,
  input,
  output,
  async handle({ conversationId }) {
    const none: Values<typeof output> = { conversations: [], nextCursor: null };
    if (conversationId === null) return { payload: none };
    throw new AppError('unknown_conversation', `you have no conversation "${conversationId}"`, {
      details: { field: 'conversationId' },
    });
  },
});
