import type { getConversation } from '../../../../operations/assistant/get-conversation.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate } from '../../format.js';
import { defineIntent } from '../../intent.js';
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
  ],
  needs: {},
  takes: ['count'],
  args: ({ count }) => decidedArgs({ limit: count }),
  answer: ({ conversations, nextCursor }) => {
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

const talkWords = ({ title, updatedAt }: Conversations['conversations'][number]): string =>
  `${quotedName(title)} on ${writeDate(updatedAt)}`;
