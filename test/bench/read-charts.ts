import { Agent, request } from 'node:http';

export const chartQuestion = '{"asset": "AAA", "interval": "1h"}';

/** Charts that were read: how long each took in ms, and how many failed. */
export interface Reads {
  durations: number[];
  failed: number;
}

/** Reads charts as so many clients for some seconds. */
export async function readCharts(url: string, seconds: number, clients: number): Promise<Reads> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const until = performance.now() + seconds * 1_000;
  const reads: Reads = { durations: [], failed: 0 };
  const readOn = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      if (await read(url, agent)) reads.durations.push(performance.now() - started);
      else reads.failed++;
    }
  };
  await Promise.all(Array.from({ length: clients }, readOn));
  agent.destroy();
  return reads;
}

const read = (url: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': chartQuestion.length };
    const sent = request(`${url}/backend/core-line/chart`, { method: 'POST', agent, headers }, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode === 200)),
    );
    sent.on('error', () => resolve(false)).end(chartQuestion);
  });
