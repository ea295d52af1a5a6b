import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { ExchangeRefusal } from './exchange-refusal.js';
import type { ExchangeCommand, TimedCommand } from './exchange-command.js';
import type { BookOrder } from './book-order.js';
import { MatchingEngine } from './matching-engine.js';

/** A matching engine that is there again after its process was killed: every command is in its file, if it has one, before it is done. */
export class KeptEngine {
  readonly engine = new MatchingEngine();
  readonly #file: string | null;

  constructor(file: string | null) {
    this.#file = file;
    if (file && existsSync(file))
      for (const line of wholeLines(readFileSync(file, 'utf8'))) this.#repeat(line);
  }

  /** Does a command at a time. Answers its order; throws the exchange's refusal. */
  apply(command: ExchangeCommand, at: number): BookOrder | null {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify({ at, command } satisfies TimedCommand)}\n`);
    return this.engine.apply(command, at);
  }

  #repeat(line: string): void {
    const { at, command } = JSON.parse(line) as TimedCommand;
    try {
      this.engine.apply(command, at);
    } catch (error) {
      if (!(error instanceof ExchangeRefusal)) throw error;
    }
  }
}

/** The lines that were written to their end. */
const wholeLines = (text: string): string[] => text.split('\n').slice(0, -1);
