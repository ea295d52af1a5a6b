import type { TestAnswer, TestService } from '../gateway/gateway.js';

/** A partner that calls a test service. */
export interface PartnerClient {
  id: string;
  name: string;
  headers: { 'svc-api-key': string; 'svc-api-secret': string };
  /** Sends a request with the partner's key; `body` as JSON, or as it is if it is text. */
  ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>;
  /** The id of a new signal. */
  create: (more?: object) => Promise<string>;
}

/** The body of a long signal in the form of version 1. */
export const bodyV1 = {
  ...{ coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE' },
  ...{
    buy_price_min: '100',
    buy_price_max: '110',
    sell_price_1: '120',
    sell_price_2: '130',
    stop_loss: '90',
  },
};

/** The body of a long signal in the form of version 2. */
export const bodyV2 = {
  ...{ coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 5 },
  ...{ entry_price_max: '110', exit_price_1: '120' },
};

let partners = 0;

/** A new partner with one key. */
export async function partnerClient({ storage, url, deps }: TestService): Promise<PartnerClient> {
  const name = `Partner ${++partners}`;
  const { key, secret } = await storage.partners.add(name, await deps.exchanges.exchanges.box());
  const own = { 'svc-api-key': key, 'svc-api-secret': secret };
  const ask: PartnerClient['ask'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...own, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  return {
    id: (await storage.partners.named(name))!.id,
    name,
    headers: own,
    ask,
    async create(more = {}) {
      const { payload } = await ask('POST', '/v1/signal', { ...bodyV1, ...more });
      return (payload as { parent_signal_id: string }).parent_signal_id;
    },
  };
}
