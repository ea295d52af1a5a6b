import type { Candles } from '../../../compute/model/candles.js';
import { Decimal } from '../../../compute/model/decimal.js';
import type { AccountSetup, PastTrade } from './book/exchange-command.js';
import type { BookAccount, MatchingEngine } from './book/matching-engine.js';
import { symbolOf, type PairFilters } from './book/traded-pair.js';
import { dialects, type DialectName } from './dialects.js';
import { ExchangeServer } from './exchange-server.js';
import { ExchangeState, type FaultedRequest, type RequestLine } from './exchange-state.js';
import type { RequestFault } from './fault-script.js';

/** A pair as a test names it: with candles, or with a price that stays. */
export interface FakePair {
  base: string;
  quote: string;
  candles?: Candles;
  price?: string;
  status?: string;
  /** Traded in 24 h, in the quote currency. */
  turnover?: number;
}

/** No answer. */
export const hangs: RequestFault = { kind: 'silence', isDone: false };

const fineFilters: PairFilters = {
  tickSize: '0.00000001',
  stepSize: '0.00001',
  minQuantity: '0.00001',
  minNotional: '0',
};

/** Free and locked quantities by asset. */
export type HeldAmounts = Record<string, { free: string; locked?: string }>;

/** The fake exchange in the process of the test, which may look into its book and decide about each request. */
export class FakeExchange {
  url = '';
  /** What befalls a request. */
  fault: (request: FaultedRequest) => RequestFault | undefined = () => undefined;
  readonly state = new ExchangeState(null);
  readonly #dialect: DialectName;
  readonly #server: ExchangeServer;

  private constructor(dialect: DialectName) {
    this.#dialect = dialect;
    this.state.faults = { next: (request) => this.fault(request) ?? null };
    this.#server = new ExchangeServer(this.state, dialects[dialect]);
  }

  static async open(pairs: readonly FakePair[], dialect: DialectName = 'binance'): Promise<FakeExchange> {
    const exchange = new FakeExchange(dialect);
    exchange.engine.pairs.clear();
    const traded = pairs.map((pair) => ({ ...pair, spot: fineFilters, futures: null }));
    exchange.state.apply({ type: 'pairs', pairs: traded });
    for (const { price, ...pair } of pairs)
      if (price !== undefined)
        exchange.state.apply({ type: 'price', symbol: symbolOf(pair), price, quantity: null });
    await exchange.listen();
    return exchange;
  }

  get engine(): MatchingEngine {
    return this.state.engine;
  }

  /** By API key; `setup` of an account may be changed. */
  get accounts(): Map<string, BookAccount> {
    return this.engine.accounts;
  }

  get asked(): RequestLine[] {
    return this.state.requests;
  }

  /** Forgets what it was asked. */
  forget(): void {
    this.state.requests.length = 0;
  }

  /** The requests for candles. */
  get klines(): { symbol: string; startTime: number; limit: number }[] {
    return this.asked
      .filter(({ path }) => path === '/api/v3/klines')
      .map(({ query }) => Object.fromEntries(new URLSearchParams(query)))
      .map(({ symbol, startTime, limit }) => ({
        symbol,
        startTime: Number(startTime),
        limit: Number(limit),
      }));
  }

  /** An account for spot alone. */
  account(setup: AccountSetup, amounts: HeldAmounts = {}): BookAccount {
    const rights = { mayTradeMargin: false, mayTradeFutures: false, isUnified: this.#dialect === 'bybit' };
    this.state.apply({ type: 'account', account: { ...rights, ...setup } });
    const account = this.accounts.get(setup.apiKey)!;
    this.hold(account, amounts);
    return account;
  }

  /** Replaces what an account has of some assets. */
  hold({ spot }: BookAccount, amounts: HeldAmounts): void {
    for (const [asset, { free, locked = '0' }] of Object.entries(amounts)) {
      const kept = Decimal.read(locked);
      spot.totals.set(asset, Decimal.read(free).plus(kept));
      spot.frozen.set(asset, kept);
    }
  }

  /** Trades that an account has made before, which move nothing. */
  past({ setup }: BookAccount, trades: readonly PastTrade[]): void {
    this.state.apply({ type: 'past', apiKey: setup.apiKey, trades });
  }

  /** The time of its clients in ms. */
  now = (): number => this.state.clientTime();

  /** Sets the time of the clients, which then stands still. */
  stopTime(timeMs: number): void {
    this.state.clientTime = () => timeMs;
  }

  /** Sets the time of the clients, which then runs on. */
  setTime(timeMs: number): void {
    const offsetMs = timeMs - Date.now();
    this.state.clientTime = () => Date.now() + offsetMs;
  }

  async listen(): Promise<void> {
    this.url = await this.#server.listen(this.url === '' ? 0 : Number(new URL(this.url).port));
  }

  /** Refuses connections until `listen` is called. */
  close(): Promise<void> {
    return this.#server.close();
  }
}
