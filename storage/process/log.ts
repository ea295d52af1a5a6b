import { pino, type Logger } from 'pino';
import type { Settings } from './settings.js';

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

/** Opens the log of a process: JSON lines on standard error, with secrets redacted. */
export function openLog({ LOG_LEVEL }: Pick<Settings, 'LOG_LEVEL'>, role: string): Log {
  const redact = { paths: [...secrets, ...secrets.map((name) => `*.${name}`)], censor: '[redacted]' };
  return pino(
    { level: LOG_LEVEL, base: { role, pid: process.pid }, redact },
    pino.destination({ dest: 2, sync: true }),
  );
}
