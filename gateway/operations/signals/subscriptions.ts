import Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import { displacedReason } from '../../../storage/accounts/connections.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import {
  defaultSettings,
  type SubscriptionSettings,
  type Subscription,
} from '../../../storage/signals/subscription.js';
import { defineOperation } from '../../operation.js';
import {
  requireConsent,
  settingFields,
  subscriptionOutput,
  subscriptionView,
  subscriptionId,
  unknownSubscription,
} from './subscription-fields.js';
import { openKey } from '../../../storage/exchanges/open-key.js';
import { findVenue } from '../../../storage/exchanges/venues/index.js';
import { keepIfSignedIn } from '../../auth/session.js';
import type { Caller, Deps } from '../../context.js';
import { tryKeyOnWorker } from '../exchanges/try-key-on-worker.js';
import { count, text, answerOf } from '../output-fields.js';

/**
 * Throws `invalid_input` for an exchange on which no orders of the user can be placed: one that is not traded, not connected, or
 * connected with a key that may not trade or may withdraw, or with an account of a kind that is not traded on. The key is tried.
 */
async function requireTradable(exchange: string, deps: Deps, caller: Caller): Promise<void> {
  const { exchanges: known } = deps.exchanges;
  known.requireName(exchange);
  if (exchange === paperName) return;
  if (deps.settings.LIVE_TRADING === 'off')
    throw refused(`"exchange" must be ${paperName}: live trading is off, found "${exchange}"`);
  if (!findVenue(known.entry(exchange).id)?.trading)
    throw refused(`"exchange" must be one on which signals are executed; on "${exchange}" they are not yet`);
  const connection = await deps.storage.connections.find(caller.user!.userId, exchange);
  if (!connection)
    throw refused(`"${exchange}" is not connected; connect it with a key that may trade first`);
  const key = await openKey(await known.box(), connection, deps.storage.connections);
  const { mayTrade, objection } = await tryKeyOnWorker(deps, caller)(exchange, key);
  if (!mayTrade)
    throw refused(`the key of "${exchange}" may not trade; connect it again with one that may trade`);
  if (objection !== undefined) throw refused(objection);
  if ((await deps.storage.connections.displaced([connection])).length > 0) throw refused(displacedReason);
}

const refused = (message: string): AppError => fieldError('exchange', message);

/** Follows a channel. Signals that come from now on are delivered. */
export const addSubscription = defineOperation({
  id: 'add-subscription',
  summary: 'Follows a channel: its signals from now on are executed on your account.',
  scope: 'user',
  needsVerified: true,
  cost: 5,
  input: Joi.object<Partial<SubscriptionSettings> & { channel: string; exchange: string }>({
    channel: Joi.string()
      .max(100)
      .required()
      .description('id of a channel')
      .example('68a1f0c2e4b0a1b2c3d4e5f6'),
    exchange: Joi.string().max(40).default(paperName).description('exchange on which orders are placed'),
    ...settingFields,
  }),
  output: subscriptionOutput,
  errors: ['already_exists', 'exchange_refused', 'exchange_unavailable'],
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({ to, fields: { id: 'payload/id' } })),
  async handle({ channel: channelId, exchange, ...settings }, deps, caller) {
    const { userId } = caller.user!;
    requireConsent(settings);
    await requireTradable(exchange, deps, caller);
    const channel = await deps.storage.channels.find(channelId);
    if (!channel) throw fieldError('channel', `there is no channel "${channelId}"`);
    const { sides } = channel.defaults;
    const added = await deps.storage.subscriptions.add({
      ...defaultSettings,
      sides,
      ...settings,
      userId,
      channelId,
      exchange,
    });
    // The account may have been deleted, or taken back, while the key was tried: nothing may be ordered for it any more.
    const { subscriptions } = deps.storage;
    await keepIfSignedIn(deps.storage, caller.user!, () => subscriptions.remove(userId, added.id));
    return { payload: subscriptionView(added, deps.exchanges) };
  },
});

/** Ends following a channel. What is held stays managed, or is closed if that is asked for. */
export const removeSubscription = defineOperation({
  id: 'remove-subscription',
  summary: 'Ends following a channel: no new entries; with close=true what is open is closed at market.',
  scope: 'user',
  input: Joi.object<{ id: string; close: boolean }, true>({
    id: subscriptionId,
    close: Joi.boolean().default(false).description('whether what is open is closed at market'),
  }),
  output: answerOf({
    id: text('id of the subscription'),
    closing: count('executions that are being closed'),
  }),
  errors: ['unknown_subscription'],
  async handle({ id, close }, { storage }, { user }) {
    const { userId } = user!;
    if (!(await storage.subscriptions.find(userId, id))) throw unknownSubscription(id);
    // Open executions are closed first, so that an interrupted removal can be repeated.
    const of = { userId, subscriptionId: id };
    const closing = close ? await storage.executionReads.wishClose(of) : 0;
    if (!(await storage.subscriptions.remove(userId, id))) throw unknownSubscription(id);
    // Signals delivered between the two, and waiting entries: without their subscription they buy nothing more.
    const late = close
      ? await storage.executionReads.wishClose(of)
      : await storage.executionReads.wakeOpen(of);
    return { payload: { id, closing: Math.max(closing, close ? late : 0) } };
  },
});

/** Changes how the user follows a channel. Signals that were delivered keep the amounts they were planned with. */
export const changeSubscription = defineOperation({
  id: 'change-subscription',
  summary:
    'Changes how you follow a channel, for signals that come from now on; a pause also holds entries that wait.',
  scope: 'user',
  input: Joi.object<{ id: string } & Partial<SubscriptionSettings & Pick<Subscription, 'isPaused'>>>({
    id: subscriptionId,
    ...settingFields,
    isPaused: Joi.boolean().description('whether nothing more is bought'),
  }),
  output: subscriptionOutput,
  errors: ['unknown_subscription'],
  async handle({ id, ...settings }, { exchanges, storage }, { user }) {
    requireConsent(settings);
    const { userId } = user!;
    const changed = await storage.subscriptions.change(userId, id, settings);
    if (!changed) throw unknownSubscription(id);
    if (settings.isPaused !== undefined)
      await storage.executionReads.wakeOpen({ userId, subscriptionId: id });
    return { payload: subscriptionView(changed, exchanges) };
  },
});
