import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unlimited } from '../gateway/unlimited.js';
import { projectRoot } from '../harness/paths.js';
import { until } from '../process/until.js';
import { RunningRelease } from './running-release.js';

/** What came of two releases that served side by side. */
export interface BesideOutcome {
  /** Answers by request and release. */
  answered: Record<string, number>;
  /** Each request that was not answered with 200, with what came instead. */
  failed: string[];
  /** What followers did with the signals, by id: the sides of their filled entries. */
  entries: Record<string, string[]>;
  /** What both said on standard error. */
  errors: string;
  exits: (number | null)[];
}

interface Answer<T> {
  status: number;
  json: T;
}

async function ask<T>(url: string, path: string, body?: object, headers: object = {}): Promise<Answer<T>> {
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, json: (await answer.json()) as T };
}

const mostSignals = 12;

/**
 * Starts the release of that folder on new servers, with the demo market and a partner, a channel and a follower made by its own
 * commands; starts this release beside it, and asks both for the given time. Then the older one ends, and this one is asked alone.
 */
export async function serveBeside(
  previous: string,
  servers: { REDIS_URL: string; MONGODB_URL: string },
  seconds: number,
): Promise<BesideOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-beside-'));
  const settings = (name: string) => ({
    ...{ ...unlimited, ...servers, SECRETS_KEY, THREADS: '1' },
    DATA_DIR: join(folder, name),
  });
  const SECRETS_KEY = randomBytes(32).toString('hex');
  const running: RunningRelease[] = [];
  const outcome: BesideOutcome = { answered: {}, failed: [], entries: {}, errors: '', exits: [] };
  const signals: string[] = [];
  try {
    const older = await RunningRelease.start(previous, settings('older'));
    running.push(older);
    const { key, secret } = older.command<{ key: string; secret: string }>('partner', 'add', '--name', 'P');
    const channel = older.command<{ id: string }>('channel', 'add', '--partner', 'P', '--name', 'C').id;
    const signIn = (url: string) =>
      ask<{ payload: { token: string } }>(url, '/backend/login', older.login).then(
        ({ json }) => json.payload.token,
      );
    const token = await signIn(older.url);
    const session = { 'session-token': token };
    const follow = { channel, investPercent: 5 };
    const { status } = await ask(older.url, '/backend/subscriptions', follow, session);
    if (status !== 200) throw new Error(`the follower could not subscribe: ${status}`);
    // The demo account is that of the older release.
    mkdirSync(join(folder, 'newer'));
    cpSync(join(folder, 'older/demo-account.json'), join(folder, 'newer/demo-account.json'));
    const newer = await RunningRelease.start(projectRoot, settings('newer'));
    running.push(newer);

    const partner = { 'svc-api-key': key, 'svc-api-secret': secret };
    let asked = 0;
    /** One round of requests of every kind to one release. */
    async function round(name: string, { url, login }: RunningRelease): Promise<void> {
      const n = ++asked;
      const check = async <T>(what: string, answer: Promise<Answer<T>>): Promise<T | undefined> => {
        const { status, json } = await answer.catch((error: Error) => ({
          status: 0,
          json: `${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`,
        }));
        const at = `${name}: ${what}`;
        outcome.answered[at] = (outcome.answered[at] ?? 0) + (status === 200 ? 1 : 0);
        if (status === 200) return json as T;
        outcome.failed.push(`${at}: ${status} ${JSON.stringify(json).slice(0, 300)}`);
        return undefined;
      };
      const coins = ['BTC', 'ETH', 'SOL', 'XRP'];
      const asset = coins[n % coins.length];
      await check('sign in', ask(url, '/backend/login', login));
      await check('chart', ask(url, '/backend/core-line/chart', { asset, interval: '1h' }));
      const backtest = { asset, interval: '1h', period: '3M', feePercent: 0.1 + n * 1e-6 };
      await check('backtest', ask(url, '/backend/core-line/backtest', backtest, session));
      await check('analysis', ask(url, '/backend/analysis/trend', { asset }));
      await check('positions', ask(url, '/backend/activepositions', undefined, session));
      const call = { name: 'get_momentum_reading', arguments: { asset } };
      await check('tool', ask(url, '/mcp', { jsonrpc: '2.0', id: n, method: 'tools/call', params: call }));
      if (signals.length >= mostSignals) return;
      const terms = { coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 5 };
      const signal = { ...terms, entry_price_max: '900000', exit_price_1: '950000', confirm_price: true };
      const made = await check(
        'signal',
        ask<{ payload: { parent_signal_id: string } }>(url, '/v2/signal', signal, partner),
      );
      if (made) signals.push(made.payload.parent_signal_id);
    }
    const load = async (releases: [string, RunningRelease][], ends: () => boolean) => {
      const rounds = releases.map(async ([name, release]) => {
        do {
          await round(name, release);
          await pause(100);
        } while (!ends());
      });
      await Promise.all(rounds);
    };
    const endsAt = Date.now() + seconds * 1_000;
    await load(
      [
        ['older', older],
        ['newer', newer],
      ],
      () => Date.now() > endsAt,
    );
    outcome.exits.push(await older.stop());
    await load([['newer alone', newer]], () => true);

    type Timeline = {
      payload: { status: string; reason?: string; orders: { leg: string; side: string; status: string }[] };
    };
    const look = async (id: string) => {
      const { json } = await ask<Timeline>(newer.url, `/backend/signals/${id}`, undefined, session);
      const { status, reason, orders = [] } = json.payload;
      const entries = orders.filter((order) => order.leg.startsWith('entry') && order.status === 'filled');
      outcome.entries[id] =
        entries.length > 0 ? entries.map(({ side }) => side) : [`${status} ${reason ?? ''}`];
      return entries.length > 0;
    };
    const entered = () => Promise.all(signals.map(look)).then((all) => all.every(Boolean));
    await until('all entries', entered, 120_000).catch(() => undefined);
    outcome.exits.push(await newer.stop());
    return outcome;
  } finally {
    outcome.errors = running.map(({ errors }) => errors).join('');
    await Promise.all(running.map((release) => release.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}
