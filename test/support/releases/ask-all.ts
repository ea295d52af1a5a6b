/** A request and how it ended: with 0 and the error where no answer came. */
export interface AskedRequest {
  what: string;
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
  note: (asked: AskedRequest) => void;
}

interface Told {
  payload?: { token?: string; parent_signal_id?: string };
  result?: { isError?: boolean; structuredContent?: { error?: { retry_after_seconds?: number } } };
}

const coins = ['BTC', 'ETH', 'SOL', 'XRP'];

/** One request of each kind, the n-th time. Answers the id of the signal that was made. */
export async function askAll({ url, login, partner, note }: Asked, n: number): Promise<string | undefined> {
  async function ask(what: string, path: string, body?: object, headers: object = {}): Promise<Told> {
    const startedAt = Date.now();
    const ended = (status: number, text: string) =>
      note({ what, startedAt, endedAt: Date.now(), status, text: text.slice(0, 300) });
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
      const isRefused = structuredContent?.error?.retry_after_seconds !== undefined;
      ended(isError ? (isRefused ? 503 : 500) : answer.status, text);
      return told;
    } catch (error) {
      const { message, cause } = error as Error;
      ended(0, `${message} ${cause instanceof Error ? cause.message : ''}`);
      return {};
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
