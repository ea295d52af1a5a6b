import { randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { openCollection } from '../servers/open-collection.js';
import type { BacktestChange, BacktestMarks } from './backtest-marks.js';
import { backtestKey, storedRun, storedMs, type BacktestDocument, type StoredBacktest } from './backtests.js';
import { unpackReport } from './report-text.js';

/** The most backtests that a user keeps. */
export const mostKeptBacktests = 50;

/** When a backtest expires that is kept. */
const never = new Date('9999-12-31T23:59:59.999Z');

/** Names, keeps and shares stored backtests. Every query names the user, but for what its token opens. */
export class MarkedBacktests {
  readonly #collection: Collection<BacktestDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'backtests');
  }

  /**
   * Names, notes and keeps a backtest, or ends that: then it expires 90 days after it was run, and at the earliest in an hour. Null
   * if the user has none of that id. Throws `too_many_backtests` for one too many that is kept.
   */
  async change(
    userId: string,
    id: string,
    change: BacktestChange,
    now = Date.now(),
  ): Promise<StoredBacktest | null> {
    const before = await this.#collection.findOneAndUpdate(this.#current(userId, id, now), [
      { $set: { ...literals(change), ...expiry(change.isKept, now) } },
    ]);
    if (!before) return null;
    if (change.isKept && !before.isKept && (await this.#countKept(userId)) > mostKeptBacktests) {
      // Counted after the write, so that the limit also holds for several at once.
      const undone = { isKept: false, expiresAt: before.expiresAt };
      await this.#collection.updateOne({ _id: before._id, userId }, { $set: undone });
      const message = `you keep ${mostKeptBacktests} backtests, the most: stop keeping one first`;
      throw new AppError('too_many_backtests', message);
    }
    const after = await this.#collection.findOne(this.#current(userId, id, now));
    return after && storedRun<'builtIn'>(after);
  }

  /** Shares a backtest by a token, the same until that ends; null if the user has none of that id. */
  async share(userId: string, id: string, now = Date.now()): Promise<BacktestMarks['share']> {
    const share = { token: randomBytes(16).toString('base64url'), sharedAt: new Date(now) };
    const filter = this.#current(userId, id, now);
    await this.#collection.updateOne({ ...filter, 'share.token': { $exists: false } }, { $set: { share } });
    return (await this.#collection.findOne(filter))?.share ?? null;
  }

  /** Ends that; false if the user has no backtest of that id. Twice is once. */
  async unshare(userId: string, id: string, now = Date.now()): Promise<boolean> {
    const filter = this.#current(userId, id, now);
    const { matchedCount } = await this.#collection.updateOne(filter, { $set: { share: null } });
    return matchedCount === 1;
  }

  /** The shared backtest of that token, with the JSON of its report; null if there is none, or none any more. */
  async shared(token: string, now = Date.now()): Promise<{ backtest: StoredBacktest; text: string } | null> {
    const filter = { 'share.token': token, expiresAt: { $gt: new Date(now) } };
    const found = await this.#collection.findOne(filter);
    return found && { backtest: storedRun<'builtIn'>(found), text: await unpackReport(found.report.value()) };
  }

  #current(userId: string, id: string, now: number) {
    return {
      _id: backtestKey(userId, id),
      userId,
      kind: 'builtIn' as const,
      expiresAt: { $gt: new Date(now) },
    };
  }

  #countKept(userId: string): Promise<number> {
    return this.#collection.countDocuments({ userId, isKept: true });
  }
}

/** Values that no pipeline reads as expressions. */
const literals = (change: BacktestChange) =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { $literal: value }]));

const hourMs = 3_600_000;

function expiry(isKept: boolean | undefined, now: number): object {
  if (isKept === undefined) return {};
  if (isKept) return { expiresAt: never };
  return { expiresAt: { $max: [{ $add: ['$createdAt', storedMs] }, new Date(now + hourMs)] } };
}
