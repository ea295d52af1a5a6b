import { LRUCache } from 'lru-cache';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { SubscriptionRepository } from '../../storage/signals/subscriptions.js';

/** The next subscribers of a signal. */
export interface SubscriberPage {
  /** As they are now; one that was removed is missing. */
  subscriptions: Subscription[];
  /** The subscription after which delivery goes on. */
  after: string | null;
  isLast: boolean;
}

/** Ids that are listed at once, and for how long the list is used. Who subscribes meanwhile may miss the signal. */
const listed = 10_000;
const listMs = 60_000;
const mostLists = 50;

/**
 * The subscribers of signals in pages. The ids are listed once for many pages: the embedded MongoDB reads through all that
 * follow for each list.
 */
export class SubscriberPages {
  readonly #subscriptions: Pick<SubscriptionRepository, 'idsOfChannel' | 'ofIds'>;
  readonly #lists = new LRUCache<string, string[]>({ max: mostLists, ttl: listMs });

  constructor(subscriptions: Pick<SubscriptionRepository, 'idsOfChannel' | 'ofIds'>) {
    this.#subscriptions = subscriptions;
  }

  async next({ id, channelId, delivery: { after } }: PartnerSignal, limit: number): Promise<SubscriberPage> {
    let ids = idsAfter(this.#lists.get(id) ?? [], after);
    if (ids.length === 0) {
      ids = await this.#subscriptions.idsOfChannel(channelId, after, listed);
      if (ids.length > limit) this.#lists.set(id, ids);
    }
    const page = ids.slice(0, limit);
    // A list that is used up may have been cut: then another is read, and is empty in the end.
    const isLast = ids.length < limit;
    const found = page.length === 0 ? [] : await this.#subscriptions.ofIds(page);
    return { subscriptions: found, after: page.at(-1) ?? after, isLast };
  }
}

const idsAfter = (ids: readonly string[], after: string | null): string[] =>
  ids.filter((id) => after === null || id > after);
