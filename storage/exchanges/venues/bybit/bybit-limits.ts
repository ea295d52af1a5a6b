import type { RequestLimit } from '../../request-limit.js';

const endpoint = {
  isByEndpoint: true,
  windowMs: 1_000,
  told: { most: 'x-bapi-limit', left: 'x-bapi-limit-status' },
};

/**
 * "Rate Limit Rules" (bybit-exchange.github.io/docs/v5/rate-limit): requests of an address, and of each account for each
 * endpoint. Spot takes 20 orders a second; the number of futures holds for both.
 */
export const bybitLimits: readonly RequestLimit[] = [
  // "IP Limits" of websockets: "Do not establish over 500 connections within 5 minutes".
  { name: 'connections', scope: 'address', counts: /^socket CONNECT/, most: 500, windowMs: 300_000 },
  { name: 'address', scope: 'address', counts: /^(?!socket)/, most: 600, windowMs: 5_000 },
  {
    ...endpoint,
    name: 'reads',
    scope: 'account',
    counts: /^private GET v5\/(order|execution|position|account)\//,
    most: 50,
  },
  {
    ...endpoint,
    name: 'others',
    scope: 'account',
    counts: /^private (POST|GET v5\/(?!order|execution|position|account))/,
    most: 10,
  },
];
