import type { getConversation } from '../../../../operations/assistant/get-conversation.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate } from '../../format.js';
import { defineIntent, type Prose } from '../../intent.js';
import { firstOf } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { quotedName } from '../../quoted-name.js';

type Conversations = OutputOf<typeof getConversation>;

const mostTold = 5;

export const pastConversationsIntent = defineIntent<Conversations>({
  name: 'past-conversations',
  title: 'your earlier conversations',
  tool: 'get_conversation',
  phrases: [
    'what did we talk about before',
    'my past conversations',
    'list my earlier chats',
    'show the chat history',
    'previous questions i asked you',
    'what did i ask last time',
    'find our old conversation',
    'my chats with you',
    'last {count} conversations',
    'do you remember our last talk',
    'conversation list',
    'what was my last question',
    'bring back our last chat',
    'what did you tell me last time',
    'where did we leave off',
    'pull up our previous discussion',
    'have i asked you this before',
    'history of my questions',
    'open my last conversation',
    'what have we discussed',
    'what were we talking about',
    'show my previous chats',
    'show conversation {id}',
    'can i see my earlier chats',
    'continue where we left off last time',
    'what have i asked you so far',
    'what did i ask you {date}',
    'list my last {count} chats',
    'open conversation {id}',
  ],
  needs: {},
  takes: ['count', 'id'],
  args: ({ count, id }) => decidedArgs({ conversation_id: id, limit: count }),
  answer: ({ conversation, messages, conversations, nextCursor }) => {
    if (conversation) return messagesWords(conversation, messages);
    const [newest, ...others] = conversations;
    if (!newest) return { lead: 'You have no earlier conversations with me.' };
    return {
      lead: `Our latest conversation was ${talkWords(newest)}.`,
      figures: others.length === 0 ? [] : [`Before that: ${firstOf(others.map(talkWords), mostTold - 1)}.`],
      ...(nextCursor === null ? {} : { caveat: 'Older ones are left out here.' }),
      next: 'Continue one by its conversationId.',
    };
  },
});

function messagesWords(
  conversation: NonNullable<Conversations['conversation']>,
  messages: Conversations['messages'],
): Prose {
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => quotedName(text));
  return {
    lead: `That conversation was ${talkWords(conversation)}.`,
    figures: asked.length === 0 ? [] : [`You asked: ${firstOf(asked, mostTold)}.`],
    next: 'Continue it by its conversationId.',
  };
}

const talkWords = ({ title, updatedAt }: Conversations['conversations'][number]): string =>
  `${quotedName(title)} on ${writeDate(updatedAt)}`;
