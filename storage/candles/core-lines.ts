import { Binary, type Collection, type Db } from 'mongodb';
import type { CoreLineView, CurrentState } from '../../compute/model/core-line.js';
import { utcTime } from '../../compute/model/utc-day.js';
import type { TellLive } from '../live/live-events.js';
import { seriesId, type Market, type SeriesKey } from './series.js';
import { findByValues } from '../servers/find-by-values.js';
import { openCollection } from '../servers/open-collection.js';
import { boundedCache } from '../process/bounded-cache.js';
import { SharedCalls } from '../process/shared-calls.js';

/** The trend state of a series and its recent past, as computed once per candle. */
export interface StoredCoreLine {
  /** What it was computed from: the digest of the series and the version of the rule. */
  basis: string;
  view: CoreLineView;
}

/** The part of a core line that a chart shows. */
export type ChartView = Omit<CoreLineView, 'flips' | 'statistics'>;

/** As `StoredCoreLine`, for a chart. */
export interface StoredChart {
  basis: string;
  view: ChartView;
}

/** The part of a core line that lists its flips. */
export type FlipsView = Omit<CoreLineView, 'columns'>;

interface CoreLineDocument {
  _id: string;
  basis: string;
  head: Omit<CoreLineView, 'columns' | 'flips' | 'statistics'>;
  columns: Binary;
  /** Flips and statistics as JSON, which is faster to read than nested BSON. */
  past: string;
}

/** The core line of each series, one document each, for light reads. */
export class CoreLineRepository {
  readonly #collection: Collection<CoreLineDocument>;
  readonly #tell: TellLive;
  readonly #charts = new SharedCalls<StoredChart | null>();
  readonly #states = boundedCache<CurrentState>(20_000, { ttl: 5_000 });

  /** `tell` hears of each change of state. */
  constructor(db: Db, tell: TellLive = tellNobody) {
    this.#collection = openCollection(db, 'core_lines');
    this.#tell = tell;
  }

  /**
   * State and series for a chart, which callers share and do not change; null if never computed. Reads with the same `moment`
   * that overlap are made once: after a computation it names that one, so that no earlier read is shared.
   */
  chart(key: SeriesKey, moment = ''): Promise<StoredChart | null> {
    return this.#charts.run(`${seriesId(key)} ${moment}`, () => this.#readChart(key));
  }

  async #readChart(key: SeriesKey): Promise<StoredChart | null> {
    const document = await this.#collection.findOne({ _id: seriesId(key) }, { projection: { past: 0 } });
    if (!document) return null;
    const { basis, head, columns } = document;
    return { basis, view: { ...head, columns: unpackColumns(columns) } };
  }

  /** State, flips (newest first) and their statistics; null if never computed. */
  async flips(key: SeriesKey): Promise<{ basis: string; view: FlipsView } | null> {
    const document = await this.#collection.findOne({ _id: seriesId(key) }, { projection: { columns: 0 } });
    if (!document) return null;
    const { basis, head, past } = document;
    return { basis, view: { ...head, ...(JSON.parse(past) as Pick<CoreLineView, 'flips' | 'statistics'>) } };
  }

  /**
   * The states of several series as they were computed last, by series id; those never computed are missing. A state that
   * another process has just stored may be seen 5 s later: a document is large, and many users hold the same assets.
   */
  async states(keys: readonly SeriesKey[]): Promise<Map<string, CurrentState>> {
    const ids = keys.map(seriesId);
    const found = new Map(
      ids.flatMap((id): [string, CurrentState][] => {
        const known = this.#states.get(id);
        return known ? [[id, known]] : [];
      }),
    );
    const unknown = ids.filter((id) => !found.has(id));
    const read = await findByValues(this.#collection, '_id', unknown, { projection: { head: 1 } });
    for (const { _id, head } of read) {
      this.#states.set(_id, head);
      found.set(_id, head);
    }
    return found;
  }

  /** The basis of each stored core line of a market, by series id. */
  async bases(market: Market): Promise<Map<string, string>> {
    const from = { $gte: `${market}:`, $lt: `${market};` };
    const found = this.#collection.find({ _id: from }, { projection: { basis: 1 } });
    return new Map((await found.toArray()).map(({ _id, basis }) => [_id, basis]));
  }

  async put(key: SeriesKey, { basis, view }: StoredCoreLine): Promise<void> {
    const _id = seriesId(key);
    const { columns, flips, statistics, ...head } = view;
    const document = {
      _id,
      basis,
      head,
      columns: packColumns(columns),
      past: JSON.stringify({ flips, statistics }),
    };
    const before = await this.#collection.findOneAndReplace({ _id }, document, {
      upsert: true,
      projection: { head: 1 },
    });
    this.#states.delete(_id);
    const { state, since, asOf } = head;
    if (!before || before.head.asOf >= asOf || before.head.state === state || state === null) return;
    const { base: asset, quote: tradeMarket, interval } = key;
    const data = { asset, tradeMarket, interval, state, since: since === null ? null : utcTime(since) };
    await this.#tell([{ to: 'flips', name: 'flip', data }]);
  }
}

const tellNobody: TellLive = () => Promise.resolve();

/** Columns of numbers by name, all of the same length. */
export type Columns<Name extends string = string> = Record<Name, Float64Array>;

/** Packs columns into one binary: a line of JSON with their names and length, then the numbers. */
export function packColumns(columns: Columns): Binary {
  const names = Object.keys(columns);
  const head = Buffer.from(`${JSON.stringify({ names, length: columns[names[0]].length })}\n`);
  const bodies = names.map((name) => {
    const { buffer, byteOffset, byteLength } = columns[name];
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  return new Binary(Buffer.concat([head, ...bodies]));
}

/** The columns in a binary made by `packColumns`. */
export function unpackColumns<Name extends string>({ buffer }: Binary): Columns<Name> {
  const body = buffer.indexOf(10) + 1;
  const { names, length } = JSON.parse(Buffer.from(buffer.subarray(0, body)).toString()) as {
    names: Name[];
    length: number;
  };
  const numbers = new Float64Array(Uint8Array.from(buffer.subarray(body)).buffer);
  return Object.fromEntries(
    names.map((name, index) => [name, numbers.subarray(index * length, (index + 1) * length)]),
  ) as Columns<Name>;
}
