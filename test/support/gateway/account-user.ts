import { Decimal } from '../../../compute/model/decimal.js';
import type { MarginPosition } from '../../../compute/paper/margin/margin-account.js';
import type { PositionAccount } from '../../../compute/paper/margin/margin-terms.js';
import { freshMargin } from '../../../storage/exchanges/paper/margin/margin-states.js';
import type { TestAnswer, TestService } from './gateway.js';

/** A signed-in user who asks for account data. */
export interface AccountUser {
  userId: string;
  token: string;
  get: (path: string) => Promise<TestAnswer>;
  post: (path: string, body?: object) => Promise<TestAnswer>;
  /** Adds holdings to the paper account. */
  give: (holdings: Record<string, string>) => Promise<void>;
}

export async function accountUser(service: TestService): Promise<AccountUser> {
  const token = await service.signIn();
  const { userId } = (await service.deps.signedIn.find(token))!;
  const headers = { 'session-token': token };
  const post: AccountUser['post'] = (path, body = {}) => service.post(path, body, headers);
  return {
    ...{ userId, token, post },
    async get(path) {
      const answer = await fetch(service.url + path, { headers });
      const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
      return { status: answer.status, headers: answer.headers, result, payload };
    },
    async give(holdings) {
      const asked = Object.entries(holdings).map(([asset, quantity]) => ({ asset, quantity }));
      const { status, payload } = await post('/backend/exchanges', { exchange: 'PAPER', holdings: asked });
      if (status !== 200) throw new Error(JSON.stringify(payload));
    },
  };
}

/** A position in USDT on MARGIN or FUTURES; a quantity below 0 is a short. */
export interface GivenPosition {
  base: string;
  quantity: string;
  entryValue: string;
  margin: string;
}

/** Stores an account of the paper exchange that holds positions. */
export async function holdPositions(
  { storage }: TestService,
  { userId }: Pick<AccountUser, 'userId'>,
  { account, wallet, positions }: { account: PositionAccount; wallet: string; positions: GivenPosition[] },
): Promise<void> {
  const before = freshMargin(userId, account, wallet);
  const held = positions.map(({ base, quantity, entryValue, margin }): MarginPosition => ({
    pair: { base, quote: 'USDT' },
    quantity: Decimal.parse(quantity),
    entryValue: Decimal.parse(entryValue),
    margin: Decimal.parse(margin),
    mode: 'ISOLATED',
    owners: [],
    fundedUntil: Date.now(),
    funding: Decimal.zero,
    changedAt: Date.now(),
  }));
  const state = { ...before.state, positions: held };
  await storage.paperMargin.write([{ before, after: { state, levels: [] } }]);
}
