import { Decimal } from '../model/decimal.js';
import { AppError } from '../model/errors.js';
import type { TradeSide } from '../model/risk-assessment.js';
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

const hundred = Decimal.parse('100');

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
  const read = (field: keyof PositionParams) => Decimal.parse(String(params[field]), field);
  const above = (field: keyof PositionParams) =>
    within(field, read(field), (value) => value.sign > 0, 'above 0');
  const rate = (field: keyof PositionParams) => {
    const percent = within(
      field,
      read(field),
      (value) => value.sign >= 0 && value.compare(hundred) < 0,
      'at least 0 and below 100',
    );
    return percent.dividedBy(hundred, 32, 'floor');
  };
  const { side } = params;
  const tick = params.tick === null ? null : above('tick');
  const [entryWay, stopWay] = side === 'long' ? (['ceil', 'floor'] as const) : (['floor', 'ceil'] as const);
  const [wantedEntry, wantedStop] = [above('entry'), above('stop')];
  const isBeyond = (stop: Decimal) => stop.compare(wantedEntry) * (side === 'long' ? 1 : -1) < 0;
  within('stop', wantedStop, isBeyond, `${side === 'long' ? 'below' : 'above'} the entry of a ${side}`);
  const entry = tick ? wantedEntry.toStep(tick, entryWay) : wantedEntry;
  const stop = tick ? wantedStop.toStep(tick, stopWay) : wantedStop;
  const riskIsFair = (value: Decimal) => value.sign > 0 && value.compare(hundred) <= 0;
  const risk = within('riskPercent', read('riskPercent'), riskIsFair, 'above 0 and at most 100');
  return {
    side,
    entry: within('entry', entry, (value) => value.sign > 0, 'at least one tick'),
    stop: within('stop', stop, (value) => value.sign > 0, 'at least one tick'),
    account: above('accountSize'),
    risk: risk.dividedBy(hundred, 32, 'floor'),
    leverage: within('leverage', read('leverage'), (value) => value.compare(Decimal.one) >= 0, 'at least 1'),
    step: above('step'),
    minNotional: params.minNotional === null ? null : above('minNotional'),
    fee: rate('feePercent'),
    maintenanceRate: rate('maintenanceMarginPercent'),
    isMoved: entry.compare(wantedEntry) !== 0 || stop.compare(wantedStop) !== 0,
  };
}

function within(field: string, value: Decimal, isFair: (value: Decimal) => boolean, range: string): Decimal {
  if (isFair(value)) return value;
  throw new AppError('invalid_input', `"${field}" has to be ${range}, found ${value.toString()}`, {
    details: { field },
  });
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
