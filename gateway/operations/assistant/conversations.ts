import { field, type Values } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';
import { readCursor, writeCursor } from '../page-cursor.js';
import type { Conversation, ConversationSummary } from '../../../storage/conversations/conversation.js';
import { shownOf } from '../output-fields.js';

export const deleteConversation = describedOperation({
  id: 'delete-conversation',
  summary: 'Deletes one of your conversations with the assistant.',
  scope: 'user',
  input: { id: field.text('id of the conversation', { maxLength: 100, example: 'text' }) },
  output: { id: field.text('id of the deleted conversation') },
  errors: ['unknown_conversation'],
  async handle({ id }, { storage }, { user }) {
    await storage.conversations.remove(user!.userId, id);
    return { payload: { id } };
  },
});

/** What a list shows of a conversation. */
const conversationFields = {
  conversationId: field.text('id of the conversation'),
  title: field.text('its first question, shortened'),
  createdAt: field.time('time of its first question'),
  updatedAt: field.time('time of its last answer'),
  turns: field.count('questions that were answered'),
};

/** The messages of a conversation. Their time comes first: an answer that has to be cut then loses the oldest. */
const messageFields = {
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

const conversationView = (conversation: ConversationSummary): Values<typeof conversationFields> => ({
  ...shownOf(conversationFields, conversation),
  conversationId: conversation.id,
  createdAt: conversation.createdAt.getTime(),
  updatedAt: conversation.updatedAt.getTime(),
});

const messagesView = ({ recent, earlier }: Conversation): Values<typeof messageFields> => ({
  earlier: earlier === '' ? null : earlier,
  messages: recent.flatMap(({ at, question, answer, tools }) => [
    { at: at.getTime(), role: 'user' as const, text: question, tools: [] },
    { at: at.getTime(), role: 'assistant' as const, text: answer, tools: tools.map(({ tool }) => tool) },
  ]),
});

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

/** Which page of the conversations. */
const conversationPageFields = {
  limit: field.integer('most entries of the answer', { min: 1, max: 100, default: 20 }),
  cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), { default: null }),
};

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

const listOutput = {
  conversations: field.list('the latest first', field.object('a conversation', conversationFields)),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

/** A place in the order of conversations: time and id. */
const conversationPlace = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z [\w-]{24}$/;

export const listConversations = describedOperation({
  id: 'list-conversations',
  summary: 'Your conversations with the assistant, the latest first; 200 are kept.',
  scope: 'user',
  tokenScope: 'ask:assistant',
  isLight: true,
  input: conversationPageFields,
  output: listOutput,
  leadsTo: ['read-conversation', 'delete-conversation'].map((to) => ({
    to,
    fields: { id: 'payload/conversations/0/conversationId' as const },
  })),
  async handle({ limit, cursor }, { storage }, { user }) {
    const after = readCursor(cursor ?? undefined, conversationPlace);
    const { conversations, next } = await storage.conversations.list(user!.userId, { limit, after });
    const payload: Values<typeof listOutput> = {
      conversations: conversations.map(conversationView),
      nextCursor: writeCursor(next),
    };
    return { payload };
  },
});
