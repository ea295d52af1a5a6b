import type { AccountSetup } from './book/exchange-command.js';
import { ExchangeRefusal } from './book/exchange-refusal.js';

/** The exchange's own id of an account; undefined if it is not told. */
export const uidOf = ({ uid, apiKey }: AccountSetup): number | undefined =>
  uid === undefined
    ? [...apiKey].reduce((sum, each) => (31 * sum + each.charCodeAt(0)) % 1e9, 7)
    : (uid ?? undefined);

/** Requests that an exchange refuses for some keys or accounts, with what it answers then. */
export interface KeyRight {
  /** Whether a request needs the right: by its method and path, and its parameters. */
  isNeeded: (name: string, params: URLSearchParams) => boolean;
  isMissing: (setup: AccountSetup) => boolean;
  code: number;
  message: string;
  status: number;
}

const hasNoFutures = ({ mayTradeFutures = true }: AccountSetup): boolean => !mayTradeFutures;
const hasNoMargin = ({ hasMargin = true }: AccountSetup): boolean => !hasMargin;
const mayNotTradeMargin = ({ mayTradeMargin = true }: AccountSetup): boolean => !mayTradeMargin;

const hasNoSpot = ({ mayTradeSpot = true }: AccountSetup): boolean => !mayTradeSpot;

/** See the README for the sources. */
export const binanceRights: readonly KeyRight[] = [
  {
    isNeeded: (name) => name.includes(' /fapi/'),
    isMissing: hasNoFutures,
    ...{ code: -2015, message: 'Invalid API-key, IP, or permissions for action.', status: 401 },
  },
  {
    isNeeded: (name) => / \/sapi\/v1\/margin\/(?!isolated|all)/.test(name),
    isMissing: hasNoMargin,
    ...{ code: -3003, message: 'Margin account does not exist.', status: 400 },
  },
  {
    isNeeded: (name) => name.startsWith('POST /api/v3/order'),
    isMissing: hasNoSpot,
    ...{ code: -2015, message: 'Invalid API-key, IP, or permissions for action.', status: 401 },
  },
  {
    isNeeded: (name) => name === 'POST /sapi/v1/margin/order',
    isMissing: mayNotTradeMargin,
    ...{ code: -2015, message: 'Invalid API-key, IP, or permissions for action.', status: 401 },
  },
];

export const bybitRights: readonly KeyRight[] = [
  {
    isNeeded: (name, params) => / \/v5\/(order|execution|position)\//.test(name) && isLinear(params),
    isMissing: hasNoFutures,
    ...{ code: 10005, message: 'Permission denied, please check your API key permissions.', status: 200 },
  },
];

const isLinear = (params: URLSearchParams): boolean => params.get('category') === 'linear';

const kucoinDenied = { code: 400007, message: 'Access denied, requires more permission.', status: 200 };

export const kucoinRights: readonly KeyRight[] = [
  {
    isNeeded: (name, params) =>
      / \/api\/v[12]\/(orders|stopOrders|fills|positions?|account-overview|changeCross)/.test(name) &&
      !params.get('symbol')?.includes('-'),
    isMissing: hasNoFutures,
    ...kucoinDenied,
  },
  {
    isNeeded: (name) => / \/api\/v3\/(hf\/)?(margin|isolated)\//.test(name),
    isMissing: mayNotTradeMargin,
    ...kucoinDenied,
  },
];

/** Throws the refusal of a request that a key or account has no right to. */
export function requireRights(
  rights: readonly KeyRight[],
  setup: AccountSetup,
  request: { name: string; params: URLSearchParams },
): void {
  const missing = rights.find(
    ({ isNeeded, isMissing }) => isNeeded(request.name, request.params) && isMissing(setup),
  );
  if (missing) throw new ExchangeRefusal(missing.code, missing.message, missing.status);
}
