import assert from 'node:assert/strict';
import { SubscriberPages } from '../../../jobs/signals/subscriber-pages.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';

const idOf = (n: number) => String(n).padStart(6, '0');

/** Subscriptions of one channel, and how often their ids were listed. */
class Channel {
  readonly ids: string[];
  lists = 0;

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, n) => idOf(2 * n));
  }

  idsOfChannel(_channelId: string, after: string | null, limit: number): Promise<string[]> {
    this.lists++;
    return Promise.resolve(this.ids.filter((id) => after === null || id > after).slice(0, limit));
  }

  ofIds(ids: readonly string[]): Promise<never[]> {
    return Promise.resolve(ids.map((id) => ({ id })) as never[]);
  }
}

/** The ids of the next page, where it ends, and whether it is the last. */
async function turn(pages: SubscriberPages, after: string | null, limit = 1_000) {
  const signal = { id: 'signal', channelId: 'channel', delivery: { after } } as PartnerSignal;
  const page = await pages.next(signal, limit);
  return { ...page, ids: page.subscriptions.map(({ id }) => id) };
}

describe('SubscriberPages', () => {
  it('names every subscription once, with few lists', async () => {
    const channel = new Channel(10_500);
    const pages = new SubscriberPages(channel);
    const seen: string[] = [];
    for (let page = await turn(pages, null); ; page = await turn(pages, page.after)) {
      seen.push(...page.ids);
      if (page.isLast) break;
    }
    assert.deepEqual(seen, channel.ids);
    assert.equal(channel.lists, 2);
  });

  it('goes on behind a list that was cut, where another process has delivered other pages', async () => {
    const channel = new Channel(10_500);
    const [one, other] = [new SubscriberPages(channel), new SubscriberPages(channel)];
    const first = await turn(one, null);
    // The other process lists a subscription that the first one does not: its page ends earlier.
    channel.ids.splice(1_500, 0, idOf(2_999));
    let page = await turn(other, first.after);
    const seen = [...first.ids, ...page.ids];
    while (!page.isLast) {
      page = await turn(one, page.after);
      seen.push(...page.ids);
    }
    assert.deepEqual(seen, channel.ids);
  });
});
