import type { Binary, Collection, Db } from 'mongodb';
import type { CoreLineView, FlipView } from '../compute/model/core-line.js';
import { packColumns, unpackColumns } from './packed-columns.js';
import { seriesId } from './candle-block.js';
import type { SeriesKey } from './series.js';

/** The trend state of a series and its recent past, as computed once per candle. */
export interface StoredCoreLine {
  /** What it was computed from: the digest of the series, and the version of the rule. */
  basis: string;
  view: CoreLineView;
}

interface CoreLineDocument {
  _id: string;
  basis: string;
  head: Omit<CoreLineView, 'columns' | 'flips'>;
  columns: Binary;
  /** JSON, which costs a reader less than a tree of BSON. */
  flips: string;
}

/** Core lines of all series, one document each, made for light reads. */
export class CoreLineRepository {
  readonly #collection: Collection<CoreLineDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('core_lines');
  }

  /** State and series for a chart; null if never computed. */
  async chart(key: SeriesKey): Promise<{ basis: string; view: Omit<CoreLineView, 'flips'> } | null> {
    const document = await this.#collection.findOne({ _id: seriesId(key) }, { projection: { flips: 0 } });
    if (!document) return null;
    return { basis: document.basis, view: { ...document.head, columns: unpackColumns(document.columns) } };
  }

  /** The flips, newest first; null if never computed. */
  async flips(
    key: SeriesKey,
  ): Promise<{ basis: string; head: CoreLineDocument['head']; flips: FlipView[] } | null> {
    const document = await this.#collection.findOne({ _id: seriesId(key) }, { projection: { columns: 0 } });
    if (!document) return null;
    return { basis: document.basis, head: document.head, flips: JSON.parse(document.flips) as FlipView[] };
  }

  async put(key: SeriesKey, { basis, view: { columns, flips, ...head } }: StoredCoreLine): Promise<void> {
    const _id = seriesId(key);
    const document = { _id, basis, head, columns: packColumns(columns), flips: JSON.stringify(flips) };
    await this.#collection.replaceOne({ _id }, document, { upsert: true });
  }
}
