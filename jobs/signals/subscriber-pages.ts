import { LRUCache } from 'lru-cache';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { SubscriptionRepository } from '../../storage/signals/subscriptions.js';

/** The next subscribers of a signal. */
export interface SubscriberPage {
  /** Their present state; removed ones are missing. */
  subscriptions: Subscription[];
  /** The last subscription of the page: delivery continues after it. */
  after: string | null;
  isLast: boolean;
}

/** How many ids one list has at most. */
const listed = 10_000;
/** How long a list is used. A user who subscribes meanwhile may miss the signal. */
const listMs = 60_000;
const mostLists = 50;

/**
 * The subscribers of signals in pages. One list of ids serves many pages, because the embedded MongoDB reads all later
 * subscriptions of the channel for each list.
 */
export class SubscriberPages {
  readonly #subscriptions: Pick<SubscriptionRepository, 'idsOfChannel' | 'ofIds'>;
  readonly #lists = new LRUCache<string, string[]>({ max: mostLists, ttl: listMs });

  constructor(subscriptions: Pick<SubscriptionRepository, 'idsOfChannel' | 'ofIds'>) {
    this.#subscriptions = subscriptions;
  }

  async next({ id, channelId, delivery: { after } }: PartnerSignal, limit: number): Promise<SubscriberPage> {
    let ids = idsAfter(this.#lists.get(id) ?? [], after);
    // Less than a page does not show that no subscription follows: the list may have been cut.
    if (ids.length < limit) {
      ids = await this.#subscriptions.idsOfChannel(channelId, after, listed);
      if (ids.length > limit) this.#lists.set(id, ids);
    }
    const page = ids.slice(0, limit);
    const isLast = ids.length < limit;
    const found = page.length === 0 ? [] : await this.#subscriptions.ofIds(page);
    return { subscriptions: found, after: page.at(-1) ?? after, isLast };
  }
}

const idsAfter = (ids: readonly string[], after: string | null): string[] =>
  ids.filter((id) => after === null || id > after);
