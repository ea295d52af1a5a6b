import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../storage/index.js';
import { hashPassword } from '../../storage/users/password.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';

const seconds = Number(process.env.LOGIN_SECONDS ?? 15);
const readEveryMs = 10;
const password = 'correct horse';

/** Light reads alone, and while logins come whose hashing wants more than the machine has. */
export async function benchLogins(): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const emails = await prepare(mongodbUrl);
    const [gateway] = await Promise.all([
      start('gateway', gatewayModule),
      start('compute', jobsModule, ['compute']),
    ]);
    const url = String(gateway.facts.url);
    const read = () => send(`${url}/backend/core-line/chart`, { asset: 'AAA', interval: '1h', limit: 50 });
    const login = (n: number) => send(`${url}/backend/login`, { email: emails[n % emails.length], password });
    await drive(read, readEveryMs, 3);
    const rows = [
      ['', 'read p50', 'read p99', 'reads failed', 'logins/s', 'refused/s', 'login p50', 'login p99'],
    ];
    for (const perSecond of [0, 20, 50, 200]) {
      const logins = perSecond === 0 ? [] : drive(login, 1_000 / perSecond, seconds);
      const [reads, signedIn] = await Promise.all([drive(read, readEveryMs, seconds), logins]);
      rows.push([perSecond === 0 ? 'alone' : `${perSecond} logins a second`, ...columns(reads, signedIn)]);
    }
    printTable(`light reads, one every ${readEveryMs} ms for ${seconds} s, beside logins`, rows);
  });
}

async function prepare(mongodbUrl: string): Promise<string[]> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  await storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, randomCandles(24 * 365));
  const passwordHash = await hashPassword(password);
  const emails = Array.from({ length: 50 }, (_, n) => `bench-${n}@example.com`);
  for (const email of emails) await storage.users.add({ email, plan: 'pro', passwordHash });
  await storage.close();
  return emails;
}

interface Answer {
  status: number;
  ms: number;
}

/** Asks at even times, however long the answers take. */
async function drive(
  ask: (n: number) => Promise<Answer>,
  everyMs: number,
  forSeconds: number,
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const started = performance.now();
  for (let n = 0; n * everyMs < forSeconds * 1_000; n++) {
    await pause(Math.max(0, started + n * everyMs - performance.now()));
    answers.push(ask(n));
  }
  return Promise.all(answers);
}

async function send(url: string, body: object): Promise<Answer> {
  const started = performance.now();
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - started };
}

function columns(reads: Answer[], logins: Answer[]): string[] {
  const done = logins.filter(({ status }) => status === 200).map((each) => each.ms);
  const figures = (values: number[]) =>
    values.length === 0 ? ['', ''] : [ms(percentile(values, 0.5)), ms(percentile(values, 0.99))];
  const rate = (count: number) => (logins.length === 0 ? '' : (count / seconds).toFixed(0));
  const read = reads.filter(({ status }) => status === 200);
  const failed = String(reads.length - read.length);
  return [
    ...figures(read.map((each) => each.ms)),
    failed,
    rate(done.length),
    rate(logins.length - done.length),
    ...figures(done),
  ];
}
