import { futuresAccountEndpoints } from './futures-account-endpoints.js';
import { futuresOrderEndpoints } from './futures-order-endpoints.js';
import { exchangeInfoEndpoints, publicEndpoints } from './public-endpoints.js';
import type { Endpoint } from './rest-call.js';
import { ledgerEndpoints } from './ledger-endpoints.js';
import { spotAccountEndpoints } from './spot-account-endpoints.js';
import { spotOrderEndpoints } from './spot-endpoints.js';

/** Endpoints that need no key, by method and path. */
export const openEndpoints: Readonly<Record<string, Endpoint>> = {
  ...publicEndpoints('/api/v3'),
  ...publicEndpoints('/fapi/v1'),
  ...exchangeInfoEndpoints,
};

/** Endpoints that need a signature. */
export const signedEndpoints: Readonly<Record<string, Endpoint>> = {
  ...spotOrderEndpoints('spot', '/api/v3'),
  ...spotOrderEndpoints('margin', '/sapi/v1/margin'),
  ...spotAccountEndpoints,
  ...futuresOrderEndpoints,
  ...futuresAccountEndpoints,
  ...ledgerEndpoints,
};
