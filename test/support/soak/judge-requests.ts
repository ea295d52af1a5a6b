import type { AskedRequest } from '../releases/ask-all.js';

/** What was broken, from when to when. `server`: what did not answer meanwhile; undefined for a process, whose work others take over. */
export interface Outage {
  name: string;
  server: 'Redis' | 'MongoDB' | undefined;
  from: number;
  to: number;
}

/** One row of the ledger: what was broken, and what became of the requests meanwhile. */
export interface SoakFault {
  name: string;
  times: number;
  asked: number;
  refused: number;
  longestMs: number;
}

export interface RequestVerdict {
  faults: SoakFault[];
  asked: number;
  /** Requests that were refused while the server they needed was down, and answered when they were asked again. */
  refused: number;
  /** All others without an answer of 200, with what they were told. */
  failed: string[];
}

/** Connections to a server that is back are made anew, on a busy machine. */
const reconnectMs = 10_000;

/**
 * What became of the requests of a soak. A refusal is an honest answer where it names the server that was down, said when to ask again, and was
 * right: then the request was answered.
 */
export function judgeRequests(requests: readonly AskedRequest[], outages: readonly Outage[]): RequestVerdict {
  const faults = new Map<string, SoakFault>();
  for (const { name } of outages) {
    const row = faults.get(name) ?? { name, times: 0, asked: 0, refused: 0, longestMs: 0 };
    row.times++;
    faults.set(name, row);
  }
  const outageOf = ({ at, text }: AskedRequest['refusals'][number]): Outage | undefined =>
    outages.find(
      ({ server, from, to }) =>
        server !== undefined &&
        at >= from &&
        at <= to + reconnectMs &&
        text.includes(`${server} does not answer`),
    );
  const failed: string[] = [];
  let refused = 0;
  for (const request of requests) {
    const { what, refusals, startedAt, endedAt, status, text } = request;
    const met = outages.find(({ from, to }) => endedAt >= from && startedAt <= to + reconnectMs);
    const row = met && faults.get(met.name)!;
    if (row) {
      row.asked++;
      row.longestMs = Math.max(row.longestMs, endedAt - startedAt);
      if (refusals.length > 0) row.refused++;
    }
    const without = refusals.find((each) => outageOf(each) === undefined);
    if (status !== 200) failed.push(`${what}: ${status} ${text}`);
    else if (without) failed.push(`${what}: 503 at ${new Date(without.at).toISOString()} ${without.text}`);
    else if (refusals.length > 0) refused++;
  }
  return { faults: [...faults.values()], asked: requests.length, refused, failed };
}
