import type { dataStatus } from '../../../../operations/analysis/data-status.js';
import { writeCount } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

export const rateLimitIntent = defineIntent<OutputOf<typeof dataStatus>>({
  name: 'rate-limit',
  title: 'what is left of your rate limit',
  tool: 'get_data_status',
  phrases: [
    'what is my rate limit',
    'how many points are left',
    'rate limit',
    'am I rate limited',
    'how much may I still ask',
    'when does my limit reset',
    'remaining quota',
    'how many calls can I make per minute',
    'did I use up my limit',
    'how often can i ask you',
    'how many questions do i have left',
    'why am i being throttled',
    'am i over my limit',
    'how close am i to the limit',
    'remaining points',
    'too many requests',
    'how much quota is left',
    'am i about to hit the limit',
    'when can i ask again',
    'how fast may i send requests',
    'how many api calls do i have left this minute',
    'current rate limit',
  ],
  needs: {},
  takes: [],
  args: () => ({}),
  answer: ({ rateLimit: { limit, remaining, resetSeconds } }) => ({
    lead: `You have ${writeCount(remaining)} of ${counted(limit, 'point')} left.`,
    figures: [`All of them are there again in ${counted(resetSeconds, 'second')} at most.`],
    ...(remaining === 0 ? { caveat: 'Until then requests are refused.' } : {}),
  }),
});
