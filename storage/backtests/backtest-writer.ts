import type { Log } from '../process/log.js';
import { BatchWriter } from '../servers/batch-writer.js';
import type { BacktestRepository, RunBacktest } from './backtests.js';

/** The most characters of reports that wait to be written; with more, new ones are not stored. */
const usualMostCharacters = 32_000_000;

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

  constructor({ backtests, log, mostCharacters = usualMostCharacters, spacingMs }: BacktestWriterOptions) {
    this.#writer = new BatchWriter({
      what: 'backtests',
      write: (runs) => backtests.add(runs),
      sizeOf: ({ text }) => text.length,
      mostSize: mostCharacters,
      batchSize: 50,
      describe: ({ userId, id }) => ({ userId, id }),
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
