import { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { hundred, readPositive, readRate, refuseParam, toFraction } from './decimal-params.js';
import { liquidationPrice } from './liquidation-price.js';

export const marginTypes = ['ISOLATED', 'CROSS'] as const;

export type MarginType = (typeof marginTypes)[number];

/** An order to be sized. Every number is a decimal in a string; amounts in quote units. */
export interface PositionParams {
  accountSize: string;
  /** How much of the account the stop may cost, in percent. */
  riskPercent: string;
  entry: string;
  stop: string;
  side: TradeSide;
  /** At least 1. */
  leverage: string;
  marginType: MarginType;
  /** The exchange's steps of quantity and price (null: any price), and the least worth of an order (null: none). */
  step: string;
  tick: string | null;
  minNotional: string | null;
  /** Of each order's worth, paid at entry and at the stop. */
  feePercent: string;
  maintenanceMarginPercent: string;
}

/** A sized order; decimals in strings. */
export interface PositionSize {
  side: TradeSide;
  /** On the tick: where the prices asked for are not, further apart, so that the risk is never understated. */
  entry: string;
  stop: string;
  quantity: string;
  notional: string;
  /** What the position ties up: notional / leverage, rounded up to 12 places. */
  margin: string;
  fees: { entry: string; stop: string };
  /** What may be lost, and what is lost at the stop, fees of both orders included. */
  riskAmount: string;
  lossAtStop: string;
  /** The loss in percent of the account, rounded up to 4 places. */
  lossPercent: string;
  /** The most whose margin and entry fee the account can carry. */
  affordableQuantity: string;
  /** To 8 places more than the prices have; null where no price liquidates. */
  liquidationPrice: string | null;
  /** Whether the stop is reached before the liquidation price. */
  stopComesFirst: boolean;
  notes: string[];
}

/**
 * The largest quantity, in steps, that loses no more than the risk at the stop, both fees included: floor(account * risk /
 * (|entry - stop| + fee * (entry + stop))). It is not cut to what the account can carry; a note says so. The liquidation
 * price takes the position's own margin (isolated) or all of the account (cross) as backing. Throws `invalid_input` with
 * the field.
 */
export function calculatePositionSize(params: PositionParams): PositionSize {
  const order = readOrder(params);
  const { side, entry, stop, leverage, account, step, fee } = order;
  const riskAmount = account.times(order.risk);
  const distance = side === 'long' ? entry.minus(stop) : stop.minus(entry);
  const lossPerUnit = distance.plus(fee.times(entry.plus(stop)));
  const quantity = riskAmount.dividedBy(lossPerUnit.times(step), 0, 'floor').times(step);
  const notional = quantity.times(entry);
  const margin = notional.dividedBy(leverage, 12, 'ceil');
  const lossAtStop = quantity.times(lossPerUnit);
  const carried = entry.times(Decimal.one.plus(fee.times(leverage)));
  const affordable = account.times(leverage).dividedBy(carried.times(step), 0, 'floor').times(step);
  const backing = params.marginType === 'CROSS' ? account : margin;
  const { maintenanceRate } = order;
  const places = Math.max(entry.places, stop.places) + 8;
  const liquidation = liquidationPrice({ side, entry, quantity, backing, maintenanceRate }, places);
  const stopComesFirst = liquidation === null || stop.compare(liquidation) * (side === 'long' ? 1 : -1) > 0;
  const sized = { quantity, notional, margin, affordable, liquidation, stopComesFirst };
  return {
    side,
    entry: String(entry),
    stop: String(stop),
    quantity: String(quantity),
    notional: String(notional),
    margin: String(margin),
    fees: { entry: String(notional.times(fee)), stop: String(quantity.times(stop).times(fee)) },
    riskAmount: String(riskAmount),
    lossAtStop: String(lossAtStop),
    lossPercent: String(lossAtStop.times(hundred).dividedBy(account, 4, 'ceil')),
    affordableQuantity: String(affordable),
    liquidationPrice: liquidation && String(liquidation),
    stopComesFirst,
    notes: notesOf(params, order, sized),
  };
}

type Order = ReturnType<typeof readOrder>;

/** The parameters as numbers, rates as fractions, prices on the tick. */
function readOrder(params: PositionParams) {
  const risk = readPositive('riskPercent', params.riskPercent);
  if (risk.compare(hundred) > 0)
    refuseParam('riskPercent', `has to be at most 100, found ${params.riskPercent}`);
  const leverage = readPositive('leverage', params.leverage);
  if (leverage.compare(Decimal.one) < 0)
    refuseParam('leverage', `has to be at least 1, found ${params.leverage}`);
  return {
    ...readPrices(params),
    account: readPositive('accountSize', params.accountSize),
    risk: toFraction(risk),
    leverage,
    step: readPositive('step', params.step),
    minNotional: params.minNotional === null ? null : readPositive('minNotional', params.minNotional),
    fee: readRate('feePercent', params.feePercent),
    maintenanceRate: readRate('maintenanceMarginPercent', params.maintenanceMarginPercent),
  };
}

/** Entry and stop, moved apart to the tick where they are not on it. */
function readPrices({ side, tick: tickText, ...texts }: PositionParams) {
  const wanted = { entry: readPositive('entry', texts.entry), stop: readPositive('stop', texts.stop) };
  const isLong = side === 'long';
  const gap = isLong ? wanted.entry.minus(wanted.stop) : wanted.stop.minus(wanted.entry);
  if (gap.sign <= 0)
    refuseParam(
      'stop',
      `has to be ${isLong ? 'below' : 'above'} the entry of a ${side}, found ${texts.stop}`,
    );
  const tick = tickText === null ? null : readPositive('tick', tickText);
  const entry = tick ? wanted.entry.toStep(tick, isLong ? 'ceil' : 'floor') : wanted.entry;
  const stop = tick ? wanted.stop.toStep(tick, isLong ? 'floor' : 'ceil') : wanted.stop;
  if (entry.sign === 0) refuseParam('entry', `has to be at least one tick, found ${texts.entry}`);
  if (stop.sign === 0) refuseParam('stop', `has to be at least one tick, found ${texts.stop}`);
  const isMoved = entry.compare(wanted.entry) !== 0 || stop.compare(wanted.stop) !== 0;
  return { side, entry, stop, isMoved };
}

function notesOf(
  params: PositionParams,
  { isMoved, minNotional, account, fee, entry, stop }: Order,
  sized: {
    quantity: Decimal;
    notional: Decimal;
    margin: Decimal;
    affordable: Decimal;
    liquidation: Decimal | null;
    stopComesFirst: boolean;
  },
): string[] {
  const { quantity, notional, margin, affordable, liquidation, stopComesFirst } = sized;
  const isTooSmall = minNotional !== null && notional.compare(minNotional) < 0;
  const isTooLarge = margin.plus(notional.times(fee)).compare(account) > 0;
  return [
    ...(isMoved
      ? [`entry and stop are moved to the tick of ${params.tick}: ${String(entry)} and ${String(stop)}`]
      : []),
    ...(quantity.sign === 0 ? [`the risk is too small for one step of ${params.step}`] : []),
    ...(isTooSmall
      ? [`the notional of ${String(notional)} is below the least of ${String(minNotional)}`]
      : []),
    ...(isTooLarge
      ? [
          `margin and entry fee are above the account of ${String(account)}: it carries ${String(affordable)} at most`,
        ]
      : []),
    ...(stopComesFirst
      ? []
      : [
          `the position is liquidated at ${String(liquidation)}, before the stop: the loss is then the margin, or more`,
        ]),
  ];
}
