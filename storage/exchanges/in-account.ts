import type { SymbolRef } from './venue-trading.js';

/** The parameters that choose the margin account of an order in ccxt; none for SPOT and FUTURES. */
export const inAccount = ({
  account,
  marginMode,
}: Pick<SymbolRef, 'account' | 'marginMode'>): { marginMode?: 'cross' | 'isolated' } =>
  account === 'MARGIN' ? { marginMode: marginMode === 'ISOLATED' ? 'isolated' : 'cross' } : {};
