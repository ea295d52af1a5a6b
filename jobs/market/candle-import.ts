import type { Storage } from '../../storage/index.js';
import type { SourceInterval } from '../../compute/model/interval.js';
import { addReplaced, noneReplaced, type ReplacedCandles } from '../../storage/candles/merge-candles.js';
import type { Pair, Series, SeriesKey } from '../../storage/candles/series.js';
import type { GivenFormat } from '../../storage/candle-files/detect-format.js';
import { readCandleFile } from '../../storage/candle-files/read-candle-file.js';
import { candlesOf, type CandleRow } from '../../storage/candles/candle-row.js';

/** The lines that were refused for one reason: how many, and the numbers of the first few. */
export interface ImportRefusal {
  reason: string;
  lines: number;
  firstLines: number[];
}

export interface ImportReport {
  /** The format that was detected, in one line; null before. */
  format: string | null;
  read: number;
  stored: number;
  alreadyThere: number;
  refused: number;
  refusals: ImportRefusal[];
  /** Stored candles that were made of shorter ones, and gave way; absent where there were none. */
  replaced?: ReplacedCandles;
}

/** Called when the format is detected, and after each batch. */
export type OnImport = (report: ImportReport) => void;

interface NumberedRow {
  line: number;
  row: CandleRow;
}

const batchRows = 20_000;
const shownLines = 5;

/**
 * Stores the candles of a file in batches, so that a file of any size fits in memory. Refused lines are counted by reason;
 * a candle that is already stored is not changed. Throws `invalid_file` when the file cannot be read to its end: the lines
 * before the error are stored, and a second import continues after them.
 */
export class CandleImport {
  readonly report: ImportReport = {
    format: null,
    read: 0,
    stored: 0,
    alreadyThere: 0,
    refused: 0,
    refusals: [],
  };
  readonly #storage: Storage;
  readonly #key: SeriesKey<SourceInterval>;
  readonly #progress: OnImport;

  constructor(storage: Storage, pair: Pair, progress: OnImport, interval: SourceInterval = '1h') {
    this.#storage = storage;
    const { market, base, quote } = pair;
    this.#key = { market, base, quote, interval };
    this.#progress = progress;
  }

  /** Imports the file. What `given` leaves out of its format is detected. */
  async run(path: string, nowMs = Date.now(), given: GivenFormat = {}): Promise<ImportReport> {
    const onDetected = (words: string) => {
      this.report.format = words;
      this.#progress(this.report);
    };
    let batch: NumberedRow[] = [];
    const flush = async () => {
      const rows = batch;
      batch = [];
      await this.#store(rows);
    };
    try {
      for await (const entry of readCandleFile(path, {
        base: this.#key.base,
        interval: this.#key.interval,
        ...given,
        nowMs,
        onDetected,
      })) {
        this.report.read++;
        if ('refused' in entry) this.#refuse(entry.refused, entry.line);
        else batch.push(entry);
        if (batch.length < batchRows) continue;
        await flush();
      }
    } finally {
      await flush();
    }
    return this.report;
  }

  /** The stored series after the import; null if nothing is stored. */
  series(): Promise<Series<SourceInterval> | null> {
    return this.#storage.series.find(this.#key);
  }

  get #word(): string {
    return this.#key.interval === '1h' ? 'hour' : 'time';
  }

  async #store(batch: NumberedRow[]): Promise<void> {
    if (batch.length === 0) return;
    // The sort is stable: of two candles for one time the first is kept.
    batch.sort((left, right) => left.row[0] - right.row[0]);
    const unique: NumberedRow[] = [];
    const repeats = new Map<number, number[]>();
    for (const entry of batch) {
      const kept = unique.at(-1);
      const [time] = entry.row;
      if (kept?.row[0] !== time) unique.push(entry);
      else if (!sameRow(entry.row, kept.row))
        this.#refuse(`differs from an earlier line for that ${this.#word}`, entry.line);
      else repeats.set(time, [...(repeats.get(time) ?? []), entry.line]);
    }
    const lines = new Map(unique.map(({ line, row }) => [row[0], line]));
    const { interval, ...pair } = this.#key;
    const added = await this.#storage.candles.add(pair, candlesOf(unique.map(({ row }) => row)), interval);
    this.report.stored += added.stored;
    this.report.alreadyThere += added.alreadyThere;
    if (added.replaced) addReplaced((this.report.replaced ??= noneReplaced()), added.replaced);
    for (const time of added.conflicts)
      for (const line of [lines.get(time)!, ...(repeats.get(time) ?? [])])
        this.#refuse(`differs from the stored candle of that ${this.#word}`, line);
    const refused = new Set(added.conflicts);
    for (const [time, repeated] of repeats)
      if (!refused.has(time)) this.report.alreadyThere += repeated.length;
    this.#progress(this.report);
  }

  #refuse(reason: string, line: number): void {
    this.report.refused++;
    let refusal = this.report.refusals.find((each) => each.reason === reason);
    if (!refusal) this.report.refusals.push((refusal = { reason, lines: 0, firstLines: [] }));
    refusal.lines++;
    if (refusal.firstLines.length < shownLines) refusal.firstLines.push(line);
  }
}

const sameRow = (left: CandleRow, right: CandleRow) => left.every((value, column) => value === right[column]);
