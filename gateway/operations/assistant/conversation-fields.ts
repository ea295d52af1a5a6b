import { field, type Values } from '../../../compute/model/field.js';
import type { Conversation, ConversationSummary } from '../../../storage/conversations/conversation.js';

/** What a list shows of a conversation. */
export const conversationFields = {
  conversationId: field.text('id of the conversation'),
  title: field.text('its first question, shortened'),
  createdAt: field.time('time of its first question'),
  updatedAt: field.time('time of its last answer'),
  turns: field.count('questions that were answered'),
};

/** The messages of a conversation. Their time comes first: an answer that has to be cut then loses the oldest. */
export const messageFields = {
  earlier: field.nullable(
    field.text('the questions before the messages, a line each; null if the messages are all'),
  ),
  messages: field.list(
    'the latest messages, the oldest first',
    field.object('a message', {
      at: field.time('time of the answer'),
      role: field.choice('who wrote it', ['user', 'assistant']),
      text: field.text('what it says'),
      tools: field.list('the tools behind an answer', field.text('name')),
    }),
  ),
};

export const conversationView = ({
  id: conversationId,
  createdAt,
  updatedAt,
  ...rest
}: ConversationSummary): Values<typeof conversationFields> => ({
  conversationId,
  title: rest.title,
  createdAt: createdAt.getTime(),
  updatedAt: updatedAt.getTime(),
  turns: rest.turns,
});

export const messagesView = ({ recent, earlier }: Conversation): Values<typeof messageFields> => ({
  earlier: earlier === '' ? null : earlier,
  messages: recent.flatMap(({ at, question, answer, tools }) => [
    { at: at.getTime(), role: 'user' as const, text: question, tools: [] },
    { at: at.getTime(), role: 'assistant' as const, text: answer, tools: tools.map(({ tool }) => tool) },
  ]),
});
