import { pino, type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { isRecord, terminalLine, type LogLine } from './terminal-line.js';
import type { Settings } from './settings.js';
import { version } from './version.js';

export type Log = Logger;

const secrets = [
  'password',
  'token',
  'secret',
  'apiKey',
  'apiSecret',
  'passphrase',
  'headers.session-token',
  'headers.authorization',
];

/** Opens the log of a process on standard error: JSON lines, or short lines on a terminal. Secrets are redacted in both. */
export function openLog(
  { LOG_LEVEL, LOG_FORMAT = 'auto' }: Pick<Settings, 'LOG_LEVEL'> & Partial<Pick<Settings, 'LOG_FORMAT'>>,
  role: string,
): Log {
  const redact = { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: '[redacted]' };
  const options = { level: LOG_LEVEL, base: { role, version, pid: process.pid }, redact };
  return pino(
    options,
    isPretty(LOG_FORMAT) ? prettyLines(LOG_LEVEL) : pino.destination({ dest: 2, sync: true }),
  );
}

/** Whether log lines are for a person: as set, else whether standard error is a terminal. */
export const isPretty = (format: Settings['LOG_FORMAT']): boolean =>
  format === 'auto' ? process.stderr.isTTY : format === 'pretty';

/** Each line is one write, so that lines of several processes on one terminal stay whole. */
function prettyLines(level: Settings['LOG_LEVEL']): DestinationStream {
  const isTerminal = process.stderr.isTTY;
  const format = prettyFactory({
    colorize: isTerminal && (process.env.NO_COLOR ?? '') === '',
    customColors: 'message:reset',
    useOnlyCustomProps: false,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    ignore: 'pid,hostname,version',
    messageFormat: (line) => terminalLine(line),
  });
  const stderr = pino.destination({ dest: 2, sync: true });
  const isShown = (text: string) => isChatty(level) || !isRecord(JSON.parse(text) as LogLine);
  return { write: (text) => void (isShown(text) && stderr.write(format(text))) };
}

/** Whether the reader has asked for everything. */
const isChatty = (level: Settings['LOG_LEVEL']) => level === 'debug' || level === 'trace';
