import { assessRisk } from '../operations/assess-risk.js';
import { backtest } from '../operations/backtest.js';
import { chart } from '../operations/chart.js';
import { flipIntelligence } from '../operations/flip-intelligence.js';
import { getPrice } from '../operations/get-price.js';
import { login } from '../operations/login.js';
import { platformOf } from './platform.js';
import { envelopeRoute, signedRoutes, type Route } from './route.js';

/** Every operation that is asked over HTTP. What is not an operation (health, pages, documentation) is in index.ts. */
export const routeTable: readonly Route[] = [
  envelopeRoute('POST', '/backend/login', login, platformOf),

  envelopeRoute('POST', '/backend/core-line/chart', chart),
  envelopeRoute('POST', '/backend/core-line/flip-intelligence', flipIntelligence),
  envelopeRoute('POST', '/backend/core-line/backtest', backtest),

  ...signedRoutes('/v3/ai/assess_risk', assessRisk),
  ...signedRoutes('/v3/ai/get_price', getPrice),
];
