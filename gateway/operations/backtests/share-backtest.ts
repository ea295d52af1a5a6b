import { describedOperation } from '../analysis/described-operation.js';
import { backtestId, sharedUrl, shareFields, unknownBacktest } from './stored-backtest-fields.js';

const facts = {
  scope: 'user',
  tokenScope: 'write:strategies',
  input: { id: backtestId },
  errors: ['unknown_backtest'],
} as const;

/** Lets everybody who has a token read the report of a backtest. */
export const shareBacktest = describedOperation({
  ...facts,
  id: 'share-backtest',
  summary: 'Lets everybody who has the token read the report; it is the same token until that ends.',
  output: shareFields,
  async handle({ id }, { settings, storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    const share = await storage.markedBacktests.share(userId, id);
    if (!share) throw unknownBacktest(id);
    const { token, sharedAt } = share;
    return { payload: { token, url: sharedUrl(token, settings), sharedAt: sharedAt.getTime() } };
  },
});

/** Ends that. */
export const unshareBacktest = describedOperation({
  ...facts,
  id: 'unshare-backtest',
  summary: 'Ends that others can read the report of a backtest.',
  output: { id: backtestId },
  async handle({ id }, { storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    if (!(await storage.markedBacktests.unshare(userId, id))) throw unknownBacktest(id);
    return { payload: { id } };
  },
});
