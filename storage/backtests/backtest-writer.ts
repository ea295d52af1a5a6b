import type { Log } from '../process/log.js';
import { BatchWriter } from '../servers/batch-writer.js';
import type { BacktestRepository, RunBacktest } from './backtests.js';
import { mostReportBytes } from './report-text.js';

/** The most characters of reports that wait to be written; with more, new ones are not stored. */
const defaultMostCharacters = 32_000_000;

const tooLarge = `backtests are not stored: their reports have more than ${mostReportBytes} bytes`;

const describe = ({ userId, id }: RunBacktest) => ({ userId, id });

export interface BacktestWriterOptions {
  backtests: Pick<BacktestRepository, 'add'>;
  log: Log;
  mostCharacters?: number;
  spacingMs?: number;
}

/**
 * Writes backtests beside their answers. A process that is killed loses the runs that wait: an equal request, which is
 * answered from the stored result, stores them again.
 */
export class BacktestWriter {
  readonly #writer: BatchWriter<RunBacktest>;

  constructor({ backtests, log, mostCharacters = defaultMostCharacters, spacingMs }: BacktestWriterOptions) {
    this.#writer = new BatchWriter({
      what: 'backtests',
      write: async (runs) => {
        const large = await backtests.add(runs);
        if (large.length > 0) log.error({ count: large.length, lost: large.map(describe) }, tooLarge);
      },
      sizeOf: ({ text }) => text.length,
      mostSize: mostCharacters,
      batchSize: 50,
      describe,
      log,
      spacingMs,
    });
  }

  /** Stores a backtest soon. Never throws. */
  keep(run: RunBacktest): void {
    this.#writer.keep(run);
  }

  /** Resolves when the backtests of a user that were kept before are stored, or could not be stored at once. */
  settled(userId: string): Promise<void> {
    return this.#writer.settled((run) => run.userId === userId);
  }

  /** Writes what waits, for up to 5 s, and logs what is lost. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}
