import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Log } from '../../../storage/process/log.js';

/** A log, and the lines that were written to it. */
export function logLines(level: 'debug' | 'info' = 'info'): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { log: pino({ level }, stream), lines };
}
