import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { networkOf } from '../../../storage/users/client-network.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import { liveTopicNames, ownTopics, type LiveReader, type LiveTopic } from '../../live/live-reader.js';
import { defineOperation } from '../../operation.js';

const longestSeconds = 3_600;

const topicName = `(${liveTopicNames.join('|')})`;

/** Opens the stream of events. Its reader is attached to the response by the route. */
export const openStream = defineOperation({
  id: 'live-stream',
  summary:
    'What happens, as it happens: prices, flips, closed candles, and your positions, signals and orders.',
  input: Joi.object<{ topics: string; seconds: number; lastEventId?: string }, true>({
    topics: Joi.string()
      .pattern(
        new RegExp(`^${topicName}(,${topicName}){0,5}$`),
        `some of ${liveTopicNames.join(', ')}, with commas between them`,
      )
      .default('prices,flips,candles')
      .description(
        'prices, flips and candles are for all; positions and signals are those of the session; cluster is for operators',
      ),
    seconds: Joi.number()
      .integer()
      .min(0)
      .max(longestSeconds)
      .default(longestSeconds)
      .description('how long it stays open; 0: it ends after what was missed'),
    lastEventId: Joi.string()
      .max(100)
      .description(
        'id of the last event that was read, as in the header Last-Event-ID; what came after it is sent first',
      ),
  }),
  // The content is described as events.
  output: Joi.object<LiveReader>({}),
  errors: ['gateway_busy', 'unauthorized', 'forbidden'],
  async handle({ topics: asked, seconds, lastEventId = null }, { live, storage }, { user, address }) {
    const topics = [...new Set(asked.split(',') as LiveTopic[])];
    for (const topic of topics) requireTopic(topic, user);
    const network = networkOf(address);
    const session = user?.sessionId ? await storage.sessions.find(user.sessionId) : null;
    const endsAtMs = Math.min(Date.now() + seconds * 1_000, session?.expiresAt.getTime() ?? Infinity);
    return { payload: await live.open({ topics, user, network, endsAtMs, lastId: lastEventId }) };
  },
});

function requireTopic(topic: LiveTopic, user: SignedIn | null): void {
  if (topic !== 'cluster' && !ownTopics.has(topic)) return;
  if (!user) throw new AppError('unauthorized', `sign in first: "${topic}" is for users with a session`);
  if (user.sessionId === '')
    throw new AppError('forbidden', `no token allows "${topic}": a session is needed (POST /backend/login)`);
  if (topic === 'cluster' && !user.operator) throw new AppError('forbidden', '"cluster" is for operators');
}
