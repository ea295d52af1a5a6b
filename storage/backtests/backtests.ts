import { Binary, type Collection, type Db } from 'mongodb';
import type { Interval, Period, ResearchInterval } from '../../compute/model/interval.js';
import type { Market } from '../candles/series.js';
import { forOwners } from '../users/owned-data.js';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { BacktestMarks } from './backtest-marks.js';
import { mostReportBytes, packReport, unpackReport } from './report-text.js';

/** What a list shows of a run of any kind: its key figures and what they rest on. Percent fields: 5 means 5 %. */
interface RunSummary {
  tradeMarket: string;
  params: Record<string, number>;
  source: Market;
  feePercent: number;
  slippagePercent: number;
  /** The traded time, ISO 8601. */
  window: { from: string; to: string };
  totalReturn: number | null;
  winRate: number | null;
  sharpe: number | null;
  maxDrawdown: number | null;
  tradeCount: number;
  profitFactor: number | null;
}

/** What a list shows of a backtest of a built-in strategy. */
export interface BacktestSummary extends RunSummary {
  asset: string;
  interval: Interval;
  period: Period;
  strategy: string;
}

/** What a list shows of a run of a trader's own rules. */
export interface ResearchSummary extends RunSummary {
  assets: string[];
  interval: ResearchInterval;
  strategyHash: string;
  /** The name by which the request gave the strategy; null: as rules. */
  strategy: string | null;
}

/** The kinds of runs that are stored, each with what a list shows of it. */
export interface RunSummaries {
  builtIn: BacktestSummary;
  research: ResearchSummary;
}

export type RunKind = keyof RunSummaries;

const runKinds = ['builtIn', 'research'] as const satisfies RunKind[];

/** A backtest that a user has run, as it is to be stored. */
export interface RunBacktest<Kind extends RunKind = RunKind> {
  userId: string;
  kind: Kind;
  /** The id of the report: it follows from all inputs. */
  id: string;
  summary: RunSummaries[Kind];
  /** The report as JSON. */
  text: string;
  /** When it ended, in ms by the clock of Redis: the clocks of gateways may differ. */
  ranAtMs: number;
}

/** A stored backtest without its report. */
export type StoredBacktest<Kind extends RunKind = 'builtIn'> = RunSummaries[Kind] &
  (Kind extends 'builtIn' ? BacktestMarks : unknown) & {
    id: string;
    createdAt: Date;
    expiresAt: Date;
  };

export interface BacktestPage<Kind extends RunKind> {
  /** The newest first. */
  backtests: StoredBacktest<Kind>[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

/** A report and its summary, in one document so that neither is stored without the other. */
export interface BacktestDocument extends Partial<BacktestMarks> {
  /** `<userId>:<id of the report>`: equal runs of a user have the same key. */
  _id: string;
  userId: string;
  kind: RunKind;
  /** Time and id: sorts the backtests of a user without ties. */
  order: string;
  createdAt: Date;
  expiresAt: Date;
  summary: RunSummaries[RunKind];
  /** Compressed JSON. */
  report: Binary;
}

/** How long a run is stored that is not kept. */
export const storedMs = 90 * 86_400_000;

/** The most backtests of one user, of each kind. */
export const mostBacktests = 200;

export const backtestKey = (userId: string, id: string) => `${userId}:${id}`;

/**
 * The backtests that users have run: the 200 newest of each user and kind, for 90 days, and those that are kept. An equal run is the same entry, which
 * becomes the newest again. Every query names the user, so that the backtests of other users are not found.
 */
export class BacktestRepository {
  readonly #collection: Collection<BacktestDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'backtests');
  }

  /**
   * Stores backtests of any users, and drops what a user has beyond the newest 200. It counts the backtests of
   * a user after each write, so that the limit also holds with parallel writers. Returns the backtests that are not stored, because their
   * reports have more than `mostReportBytes`.
   */
  async add(runs: readonly RunBacktest[]): Promise<RunBacktest[]> {
    const documents = await Promise.all(runs.map(toDocument));
    const fits = ({ report }: BacktestDocument) => report.length() <= mostReportBytes;
    const fitting = documents.filter(fits);
    const known = await this.#insert(fitting);
    for (const document of known) await this.#renew(document);
    for (const userId of new Set(fitting.map((each) => each.userId)))
      for (const kind of new Set(fitting.map((each) => each.kind))) await this.#dropExcess(userId, kind);
    return runs.filter((_, n) => !fits(documents[n]));
  }

  /** The newest backtests of a user, or those that follow a page's `next`. */
  async list<Kind extends RunKind>(
    userId: string,
    kind: Kind,
    { limit, after, now = Date.now() }: { limit: number; after?: string; now?: number },
  ): Promise<BacktestPage<Kind>> {
    const found = await this.#collection
      .find(
        {
          userId,
          kind,
          expiresAt: { $gt: new Date(now) },
          ...(after === undefined ? {} : { order: { $lt: after } }),
        },
        { projection: { report: 0 } },
      )
      .sort({ order: -1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    return { backtests: page.map(storedRun<Kind>), next: found.length > limit ? page.at(-1)!.order : null };
  }

  /** How many backtests of a user are kept. */
  count(userId: string, kind: RunKind, now = Date.now()): Promise<number> {
    return this.#collection.countDocuments({ userId, kind, expiresAt: { $gt: new Date(now) } });
  }

  /** A backtest of a user with the JSON of its report; null if the user has none of that id. */
  async find<Kind extends RunKind>(
    userId: string,
    kind: Kind,
    id: string,
    now = Date.now(),
  ): Promise<{ backtest: StoredBacktest<Kind>; text: string } | null> {
    const found = await this.#collection.findOne({
      _id: backtestKey(userId, id),
      userId,
      kind,
      expiresAt: { $gt: new Date(now) },
    });
    return found && { backtest: storedRun<Kind>(found), text: await unpackReport(found.report.value()) };
  }

  /** Deletes a backtest of a user; false if the user has none of that id. */
  async remove(userId: string, kind: RunKind, id: string, now = Date.now()): Promise<boolean> {
    const filter = { _id: backtestKey(userId, id), userId, kind, expiresAt: { $gt: new Date(now) } };
    return (await this.#collection.deleteOne(filter)).deletedCount === 1;
  }

  /**
   * Deletes what users have beyond their limit because a process ended between a write and its count. Returns how many. Throws
   * the signal's reason once it is aborted.
   */
  dropAllExcess(signal: AbortSignal): Promise<number> {
    return forOwners(this.#collection, signal, async (userIds) => {
      let dropped = 0;
      for (const userId of userIds)
        for (const kind of runKinds) dropped += await this.#dropExcess(userId, kind);
      return dropped;
    });
  }

  /** Inserts documents and returns those whose key is stored already. */
  async #insert(documents: readonly BacktestDocument[]): Promise<BacktestDocument[]> {
    if (documents.length === 0) return [];
    try {
      await this.#collection.insertMany([...documents], { ordered: false });
      return [];
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
      return [error.writeErrors].flat().map(({ index }) => documents[index]);
    }
  }

  /** Makes a stored backtest the newest of its user. */
  async #renew({ _id, userId, order, createdAt, expiresAt }: BacktestDocument): Promise<void> {
    // A run that is written late does not replace a newer equal run, and a backtest that is kept does not expire.
    await this.#collection.updateOne({ _id, userId, order: { $lt: order } }, [
      { $set: { order, createdAt, expiresAt: { $cond: ['$isKept', '$expiresAt', expiresAt] } } },
    ]);
  }

  /** Deletes what a user has of a kind beyond the newest 200, and returns how many. */
  async #dropExcess(userId: string, kind: RunKind): Promise<number> {
    const [first] = await this.#collection
      .find({ userId, kind, isKept: { $ne: true } }, { projection: { _id: 0, order: 1 } })
      .sort({ order: -1 })
      .skip(mostBacktests)
      .limit(1)
      .toArray();
    if (!first) return 0;
    const excess = { userId, kind, isKept: { $ne: true }, order: { $lte: first.order } };
    return (await this.#collection.deleteMany(excess)).deletedCount;
  }
}

async function toDocument({
  userId,
  kind,
  id,
  summary,
  text,
  ranAtMs,
}: RunBacktest): Promise<BacktestDocument> {
  const createdAt = new Date(ranAtMs);
  return {
    _id: backtestKey(userId, id),
    userId,
    kind,
    order: `${createdAt.toISOString()} ${id}`,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + storedMs),
    summary,
    report: new Binary(await packReport(text)),
  };
}

/** A stored run as it is read; marks are those of built-in strategies alone. */
export function storedRun<Kind extends RunKind>({
  order,
  kind,
  summary,
  createdAt,
  expiresAt,
  name = null,
  note = null,
  isKept = false,
  share = null,
}: Omit<BacktestDocument, 'report'>): StoredBacktest<Kind> {
  const id = order.slice(order.indexOf(' ') + 1);
  const marks = kind === 'builtIn' ? { name, note, isKept, share } : {};
  return { id, ...summary, createdAt, expiresAt, ...marks } as unknown as StoredBacktest<Kind>;
}
