import type { Exchange } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import { readDecimal } from '../read-decimal.js';
import type { VenuePosition } from '../trading-venue.js';
import type { ListedPosition } from '../venue-trading.js';
import { contractSizeOf } from './contract-size.js';
import { pairOfMarket } from './pair-of-market.js';

/** The positions on FUTURES from ccxt's list, with quantities in base units. */
export const positionsOf = (client: Exchange, positions: readonly ListedPosition[]): VenuePosition[] =>
  positions.flatMap(({ symbol, contracts, side, info, ...prices }): VenuePosition[] => {
    const pair = pairOfMarket(client, symbol as string | undefined);
    const size = readDecimal(contracts ?? 0).times(
      contractSizeOf(client, (symbol as string | undefined) ?? ''),
    );
    if (!pair || size.sign === 0) return [];
    const liquidation = prices.liquidationPrice ? readDecimal(prices.liquidationPrice) : Decimal.zero;
    return [
      {
        account: 'FUTURES',
        pair,
        quantity: side === 'short' ? Decimal.zero.minus(size) : size,
        entryPrice: readDecimal(prices.entryPrice),
        liquidationPrice: liquidation.sign > 0 ? liquidation : null,
        ...(isHedged(prices.hedged, info) && { isHedged: true }),
      },
    ];
  });

/** ccxt does not tell it of positions on KuCoin, which name their side. */
const isHedged = (hedged: unknown, info: unknown): boolean =>
  typeof hedged === 'boolean'
    ? hedged
    : ['LONG', 'SHORT'].includes((info as { positionSide?: string }).positionSide ?? '');
