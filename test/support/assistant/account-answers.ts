import { Decimal } from '../../../compute/model/decimal.js';
import type { Caller } from '../../../gateway/context.js';
import { Prices } from '../../../storage/candles/prices.js';
import { encodeExecution } from '../../../storage/signals/execution-json.js';
import { accountUser, type AccountUser } from '../gateway/account-user.js';
import { bookedTrade } from '../signals/booked-trade.js';
import { filledOrder, storedFill } from '../signals/ended-execution.js';
import { equitySnapshot } from '../signals/equity-snapshot.js';
import { makeExecution } from '../signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../signals/make-stored-execution.js';
import { partnerClient, type PartnerClient } from '../signals/partner-client.js';
import { openToolAnswers, type ToolAnswers } from './tool-answers.js';

const d = (text: string) => Decimal.parse(text);

/** A user with something in every part of the account, and one with nothing. */
export interface AccountAnswers extends ToolAnswers {
  rich: Caller['user'];
  poor: Caller['user'];
  signalId: string;
  orderId: string;
}

export async function openAccountAnswers(): Promise<AccountAnswers> {
  const answers = await openToolAnswers();
  const { service } = answers;
  const [rich, poor, partner] = [
    await accountUser(service),
    await accountUser(service),
    await partnerClient(service),
  ];
  const signedIn = ({ token }: AccountUser) => service.deps.signedIn.find(token);
  const names = await fillAccount(answers, rich, partner);
  return { ...answers, rich: await signedIn(rich), poor: await signedIn(poor), ...names };
}

async function fillAccount(
  { service }: ToolAnswers,
  user: AccountUser,
  partner: PartnerClient,
): Promise<{ signalId: string; orderId: string }> {
  const { storage, deps } = service;
  const { userId } = user;
  const signalId = await partner.create();
  const channelId = (await storage.channels.first(partner.id))!.id;
  const { payload } = await user.post('/backend/subscriptions', { channel: channelId });
  const subscriptionId = (payload as { id: string }).id;
  await user.give({ BTC: '0.5', SOL: '20', DOGE: '1000' });
  await new Prices(deps.redis).put(
    'csv',
    [
      ['BTC', 106_000],
      ['SOL', 120],
      ['DOGE', 0.2],
    ].map(([base, price]) => ({
      ...{ base: base as string, quote: 'USDT', price: price as number },
      ...{ change24hPercent: 1.25, time: Date.now() },
    })),
  );
  const ids = { id: `${signalId}:${subscriptionId}`, signalId, channelId, subscriptionId, userId };
  const plan = makeExecution();
  const position = {
    ...{ ...plan.position, quantity: d('1'), entered: d('2'), exited: d('1') },
    ...{ entryValue: d('202'), exitValue: d('109') },
  };
  const refused = {
    ...{ ...storedOrder, clientOrderId: 'refused-order', leg: 'stop', status: 'rejected' as const },
    reason: 'the balance is too small',
  };
  await storage.executions.addAll([
    makeStoredExecution({
      ...{ ...ids, partnerId: partner.id, status: 'open' },
      state: encodeExecution({ ...plan, status: 'open', position }),
      orders: [
        filledOrder('buy', [storedFill({ quantity: '2', price: '101' })]),
        filledOrder('sell', [storedFill({ price: '109', at: new Date(Date.UTC(2026, 0, 6)) })]),
        refused,
      ],
    }),
  ]);
  const now = Date.now();
  const closedAt = (ago: number) => new Date(now - ago * 86_400_000);
  const dayOf = (ago: number) => closedAt(ago).toISOString().slice(0, 10);
  const closed = (ago: number, profit: string, more: object = {}) =>
    bookedTrade({
      ...{ userId, channelId, profit, days: [{ day: dayOf(ago), profit }] },
      ...{ openedAt: closedAt(ago + 2), closedAt: closedAt(ago), ...more },
    });
  await storage.trades.book([
    closed(1, '12.5'),
    closed(2, '-4.25', { asset: 'ETH', returnPercent: -4.25, r: -0.5, side: 'short' }),
    closed(5, '30', { asset: 'SOL', returnPercent: 30, r: null }),
  ]);
  await storage.equity.add(
    Array.from({ length: 12 }, (_, n) =>
      equitySnapshot({
        ...{ userId, day: dayOf(12 - n), at: closedAt(12 - n), value: String(10_000 + ((n * 37) % 11) * 20) },
        benchmark: String(50_000 + n * 100),
      }),
    ),
  );
  return { signalId, orderId: 'refused-order' };
}
