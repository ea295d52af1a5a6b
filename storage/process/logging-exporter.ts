import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from './log.js';

/** Exports spans. Logs once when exports begin to fail and once when they succeed again. */
export class LoggingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #url: string;
  readonly #log: Log;
  #isAway = false;
  #dropped = 0;

  constructor(exporter: SpanExporter, url: string, log: Log) {
    this.#exporter = exporter;
    this.#url = url.replace(/\/\/.*@/, '//***@');
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#note(spans.length, result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  #note(count: number, { code, error }: ExportResult): void {
    const about = { collector: this.#url };
    if (code === ExportResultCode.SUCCESS) {
      if (this.#isAway) this.#log.info({ ...about, dropped: this.#dropped }, 'spans arrive again');
      this.#isAway = false;
      this.#dropped = 0;
      return;
    }
    this.#dropped += count;
    if (!this.#isAway) this.#log.warn({ ...about, err: error }, 'spans do not arrive and are dropped');
    this.#isAway = true;
  }
}
