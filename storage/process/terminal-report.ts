/** How far a part of the work is, for a bar on a terminal. */
export interface Progress {
  /** What is done, as in `installing Redis 6.2`: one bar for each. */
  of: string;
  /** From 0 to 1, which removes the bar, as null does: it failed. */
  fraction: number | null;
}

/** Tells people what happens. A line with progress is one of many for the same work. */
export type Report = (line: string, progress?: Progress) => void;

/** Reports how far a part of the work is. */
export const reportProgress = (report: Report, progress: Progress): void =>
  report(`${progress.of}: ${progress.fraction === null ? 'failed' : percentOf(progress.fraction)}`, progress);

/** The part of a stream that a report writes to. */
export interface ReportStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const barWidth = 20;
const plainSteps = 4;
const wipe = '\r\u001b[2K';

/**
 * Reports on a stream. On a terminal progress is one line of bars that stays below the other lines; elsewhere it is a line
 * for each quarter.
 */
export function terminalReport(stream: ReportStream): Report {
  return stream.isTTY === true ? barReport(stream) : plainReport(stream);
}

function barReport(stream: ReportStream): Report {
  const bars = new Map<string, number>();
  let drawn = '';
  const draw = (before: string) => {
    const text = [...bars].map(([of, fraction]) => barOf(of, fraction)).join('  ');
    // A line that wraps could not be wiped.
    const next = text.slice(
      0,
      (stream.columns === undefined || stream.columns === 0 ? 80 : stream.columns) - 1,
    );
    if (before === '' && next === drawn) return;
    stream.write(`${drawn === '' ? '' : wipe}${before}${next}`);
    drawn = next;
  };
  return (line, progress) => {
    if (progress === undefined) return draw(`${line}\n`);
    const { of, fraction } = progress;
    if (fraction !== null && fraction < 1) bars.set(of, fraction);
    else bars.delete(of);
    draw('');
  };
}

function barOf(of: string, fraction: number): string {
  const full = Math.floor(fraction * barWidth);
  return `${of} [${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] ${percentOf(fraction)}`;
}

function plainReport(stream: ReportStream): Report {
  const quarters = new Map<string, number>();
  return (line, progress) => {
    if (progress === undefined) return void stream.write(`${line}\n`);
    const quarter = Math.floor((progress.fraction ?? 0) * plainSteps);
    if (quarter <= (quarters.get(progress.of) ?? 0)) return;
    quarters.set(progress.of, quarter);
    stream.write(`${progress.of}: ${percentOf(quarter / plainSteps)}\n`);
  };
}

const percentOf = (fraction: number) => `${Math.floor(fraction * 100)} %`;
