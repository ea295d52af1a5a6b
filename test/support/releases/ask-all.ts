import { setTimeout as pause } from 'node:timers/promises';

/** A request and how it ended: with 0 and the error where no answer came. */
export interface AskedRequest {
  what: string;
  /** The refusals before: it was asked again when they said. */
  refusals: { at: number; text: string }[];
  startedAt: number;
  endedAt: number;
  status: number;
  text: string;
}

export interface Asked {
  url: string;
  login: { email: string; password: string };
  /** Headers of a partner who sends a signal as well. */
  partner?: Record<string, string>;
  /** For how long a request that is refused for now is asked again; absent: never. */
  againMs?: number;
  note: (asked: AskedRequest) => void;
}

interface Told {
  payload?: { token?: string; parent_signal_id?: string };
  result?: { isError?: boolean; structuredContent?: { error?: { retry_after_seconds?: number } } };
}

interface OneAnswer {
  status: number;
  text: string;
  told: Told;
  /** In how many seconds to ask again, of an answer that is a refusal for now. */
  againAfter: number | null;
}

const coins = ['BTC', 'ETH', 'SOL', 'XRP'];

/** One request of each kind, the n-th time. Answers the id of the signal that was made. */
export async function askAll(
  { url, login, partner, againMs = 0, note }: Asked,
  n: number,
): Promise<string | undefined> {
  async function ask(what: string, path: string, body?: object, headers: object = {}): Promise<Told> {
    const startedAt = Date.now();
    const refusals: AskedRequest['refusals'] = [];
    const ended = (status: number, text: string) =>
      note({ what, refusals, startedAt, endedAt: Date.now(), status, text: text.slice(0, 300) });
    for (;;) {
      const { status, text, told, againAfter } = await askOnce(path, body, headers);
      if (againAfter === null || Date.now() - startedAt > againMs) {
        ended(status, text);
        return told;
      }
      refusals.push({ at: Date.now(), text: text.slice(0, 300) });
      await pause(againAfter * 1_000);
    }
  }
  async function askOnce(path: string, body: object | undefined, headers: object): Promise<OneAnswer> {
    try {
      const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
      const answer = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: { ...accept, ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      const told = JSON.parse(text) as Told;
      // A tool that fails says so in an answer of its own; with when to ask again it is refused for now.
      const { isError, structuredContent } = told.result ?? {};
      const ofTool = structuredContent?.error?.retry_after_seconds ?? null;
      const status = isError ? (ofTool === null ? 500 : 503) : answer.status;
      const after = answer.headers.get('retry-after');
      const againAfter = status === 503 ? (ofTool ?? (after === null ? null : Number(after))) : null;
      return { status, text, told, againAfter };
    } catch (error) {
      const { message, cause } = error as Error;
      const text = `${message} ${cause instanceof Error ? cause.message : ''}`;
      return { status: 0, text, told: {}, againAfter: null };
    }
  }
  const asset = coins[n % coins.length];
  // An account has few sessions at a time, so each round has its own.
  const { payload } = await ask('sign in', '/backend/login', login);
  const session = { 'session-token': payload?.token ?? '' };
  await ask('chart', '/backend/core-line/chart', { asset, interval: '1h' });
  if (payload?.token !== undefined) {
    const backtest = { asset, interval: '1h', period: '3M', feePercent: 0.1 + n * 1e-6 };
    await ask('backtest', '/backend/core-line/backtest', backtest, session);
    await ask('positions', '/backend/activepositions', undefined, session);
  }
  await ask('analysis', '/backend/analysis/trend', { asset });
  const params = { name: 'get_momentum_reading', arguments: { asset } };
  await ask('tool', '/mcp', { jsonrpc: '2.0', id: n, method: 'tools/call', params });
  if (!partner) return undefined;
  const terms = { coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 1, confirm_price: true };
  const anyLevels = { entry_price_max: '900000', exit_price_1: '950000' };
  const checked = await ask('check', '/v2/signal/validate', { ...terms, ...anyLevels }, partner);
  const [, price] = /"market_price":"([\d.]+)"/.exec(JSON.stringify(checked)) ?? [];
  if (price === undefined) return undefined;
  const at = (share: number) => (Number(price) * share).toFixed(2);
  // Near its stop a signal risks little of what a subscription allows for a day; with the entry far away it would buy next to nothing.
  const levels = { entry_price_max: at(1.02), exit_price_1: at(1.2), stop_loss: at(0.98) };
  const signal = { ...terms, ...levels };
  return (await ask('signal', '/v2/signal', signal, partner)).payload?.parent_signal_id;
}
