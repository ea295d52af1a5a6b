export type LogLine = Readonly<Record<string, unknown>>;

/** Fields that pino-pretty prints itself, or that only a machine needs. */
const hidden = new Set([
  'level',
  'time',
  'pid',
  'version',
  'hostname',
  'role',
  'msg',
  'traceId',
  'spanId',
  'timings',
  'err',
]);

const roleWidth = 'gateway'.length;
const info = 30;
const warn = 40;

/**
 * Whether a line is for records alone: a job that succeeded. A start makes a hundred of them, and the line of the request or
 * the schedule that asked for the job says what a person wants to know.
 */
export const isRecord = ({ level, timings }: LogLine): boolean => level === info && timings !== undefined;

/**
 * A log line for a terminal: role, message, and its fields as `name=value`. Requests are `GET /docs 200 3.2 ms`. The error
 * of a warning is one line, that of an error its stack.
 */
export function terminalLine(line: LogLine): string {
  const { role, msg, err, method, path, status, ms, ...rest } = line;
  const request = method === undefined ? [] : [method, path, status].map(visible);
  const fields = Object.entries(rest).flatMap(([name, value]) =>
    hidden.has(name) || value === undefined || value === null || (name === 'attempt' && value === 1)
      ? []
      : `${name}=${visible(value)}`,
  );
  const took = ms === undefined ? [] : [`${visible(ms)} ms`];
  const words = [
    visible(role).padEnd(roleWidth),
    visible(msg),
    ...request,
    ...fields,
    ...took,
    ...errorOf(line.level, err),
  ];
  return words.join(' ');
}

function errorOf(level: unknown, err: unknown): string[] {
  if (err === undefined || err === null) return [];
  const { message, stack } = err as { message?: unknown; stack?: unknown };
  if (Number(level) <= warn || typeof stack !== 'string') return [`(${visible(message ?? err)})`];
  return [
    stack
      .split('\n')
      .map((each) => `\n    ${visible(each.trimEnd())}`)
      .join(''),
  ];
}

/** Characters that move the cursor, change colours or turn the direction of text. */
const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value without anything that a terminal obeys, as clients choose paths and names. */
function visible(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replaceAll(control, (each) => `\\u${each.codePointAt(0)!.toString(16).padStart(4, '0')}`);
}
