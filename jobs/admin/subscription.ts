import type { Subscription } from '../../storage/signals/subscription.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { listResult } from './cli/table-of.js';
import type { CommandContext } from './cli/with-servers.js';

const atATime = 500;

const list = defineCommand({
  name: 'list',
  summary: 'List who follows which channel',
  options: {},
  examples: ['npm run admin -- subscription list'],
  async run(_values, { storage }) {
    const emails = new Map((await storage.users.list()).map(({ id, email }) => [id, email]));
    const channels = new Map((await storage.channels.list()).map(({ id, name }) => [id, name]));
    const data = (await allSubscriptions(storage)).map(({ userId, channelId, createdAt, ...rest }) => ({
      ...rest,
      email: emails.get(userId) ?? null,
      channel: channels.get(channelId) ?? null,
      created: createdAt.toISOString(),
    }));
    const rows = data.map(({ id, email, channel, exchange, investPercent, isPaused }) => [
      id,
      email ?? '(removed)',
      channel ?? '(removed)',
      exchange,
      `${investPercent} %`,
      isPaused ? 'paused' : 'active',
    ]);
    const titles = ['id', 'user', 'channel', 'exchange', 'per signal', 'state'];
    return listResult(data, titles, rows, 'there are no subscriptions');
  },
});

async function allSubscriptions({ subscriptions }: CommandContext['storage']): Promise<Subscription[]> {
  const all: Subscription[] = [];
  for (;;) {
    const page = await subscriptions.list(all.at(-1)?.id ?? null, atATime);
    all.push(...page);
    if (page.length < atATime) return all;
  }
}

export const subscriptionCommand = defineNoun('subscription', {
  summary: 'Users who follow channels',
  examples: ['npm run admin -- subscription list'],
  commands: [list],
});
