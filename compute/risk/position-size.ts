import { defineAnalysis } from '../analysis.js';
import { defaultCosts } from '../backtest/trading-costs.js';
import { tradeMarketField } from '../model/asset-fields.js';
import { Decimal } from '../model/decimal.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { tradeSides } from '../model/risk-assessment.js';
import { hundred, readPositive, readRate, refuseParam, toFraction } from './decimal-params.js';
import { liquidationPrice } from './liquidation-price.js';

/** Most exchanges keep eight decimals of quantities. */
const defaultStep = '0.00000001';

const marginTypes = ['ISOLATED', 'CROSS'] as const;

const positionParams = {
  accountSize: field.decimal('worth of the account', { unit: 'quote', example: '10000' }),
  riskPercent: field.decimal('share of the account that the stop may cost, fees included', {
    unit: 'percent',
    example: '1',
  }),
  entry: field.decimal('entry price', { unit: 'quote', example: '100' }),
  stop: field.decimal('stop price', { unit: 'quote', example: '95' }),
  side: field.choice('side of the trade', tradeSides, { default: 'long' }),
  leverage: field.decimal('multiplier, at least 1', { default: '1' }),
  marginType: field.choice('what backs the position: its own margin, or all of the account', marginTypes, {
    default: 'ISOLATED',
  }),
  asset: field.nullable(
    field.text('asset symbol: the order rules of its pair are used where they are not given; null: none', {
      maxLength: 20,
      means: 'asset',
    }),
    { default: null },
  ),
  tradeMarket: tradeMarketField,
  exchange: field.nullable(
    field.text('name of the exchange that trades the asset; null: the paper exchange, where it trades', {
      maxLength: 20,
      means: 'exchange',
    }),
    {
      default: null,
    },
  ),
  step: field.nullable(
    field.decimal('step of quantities; null: that of the exchange, or 0.00000001 without an exchange', {
      unit: 'base',
    }),
    { default: null },
  ),
  tick: field.nullable(
    field.decimal('step of prices; null: that of the exchange, or any price without an exchange', {
      unit: 'quote',
    }),
    {
      default: null,
    },
  ),
  minNotional: field.nullable(
    field.decimal('least value of an order; null: that of the exchange, or none without an exchange', {
      unit: 'quote',
    }),
    { default: null },
  ),
  feePercent: field.nullable(
    field.decimal(
      `fee of each order; null: that of the exchange, or ${defaultCosts.feePercent} % without an exchange`,
      {
        unit: 'percent',
      },
    ),
    { default: null },
  ),
  maintenanceMarginPercent: field.decimal('maintenance margin of the exchange', {
    unit: 'percent',
    default: '0.5',
  }),
};

/** An order to be sized. Every number is a decimal in a string. The pair is known by its rules alone. */
export type PositionParams = Omit<Values<typeof positionParams>, 'asset' | 'exchange' | 'tradeMarket'>;

const positionOutput = field.object('the sized order', {
  side: field.choice('side of the trade', tradeSides),
  entry: field.decimal(
    'entry price on the tick; a price between two ticks moves away from the stop, so that the risk is never understated',
    { unit: 'quote' },
  ),
  stop: field.decimal('stop price on the tick, moved away from the entry likewise', { unit: 'quote' }),
  quantity: field.decimal('largest quantity, in steps, that keeps to the risk', { unit: 'base' }),
  notional: field.decimal('quantity x entry', { unit: 'quote' }),
  margin: field.decimal('notional / leverage, rounded up to 12 places', { unit: 'quote' }),
  fees: field.object('fees of both orders', {
    entry: field.decimal('fee at the entry', { unit: 'quote' }),
    stop: field.decimal('fee at the stop', { unit: 'quote' }),
  }),
  riskAmount: field.decimal('what may be lost', { unit: 'quote' }),
  lossAtStop: field.decimal('what is lost at the stop, fees of both orders included', { unit: 'quote' }),
  lossPercent: field.decimal('that loss as a share of the account, rounded up to 4 places', {
    unit: 'percent',
  }),
  affordableQuantity: field.decimal('largest quantity whose margin and entry fee the account can carry', {
    unit: 'base',
  }),
  liquidationPrice: field.nullable(
    field.decimal(
      'liquidation price, to 8 places more than the prices have; null where no price liquidates',
      {
        unit: 'quote',
      },
    ),
  ),
  stopComesFirst: field.flag('whether the stop is reached before the liquidation price'),
  mostLeverage: field.nullable(
    field.count(
      'largest whole leverage at which the stop of an isolated position comes before its liquidation; null where none does, and for CROSS',
    ),
  ),
  rules: field.object('the rules that the order keeps to, given or of the exchange', {
    step: field.decimal('step of quantities', { unit: 'base' }),
    tick: field.nullable(field.decimal('step of prices; null: any price', { unit: 'quote' })),
    minNotional: field.nullable(field.decimal('least value of an order; null: none', { unit: 'quote' })),
    feePercent: field.decimal('fee of each order', { unit: 'percent' }),
  }),
  notes: field.list('what to know about the order', field.text('a sentence')),
});

/** A sized order; decimals in strings. */
export type PositionSize = Value<typeof positionOutput>;

export const positionSize = defineAnalysis({
  name: 'position-size',
  title: 'Position size',
  summary:
    'The position size for a given account, risk, entry and stop: quantity in exchange steps, margin, fees, liquidation price.',
  needs: 'nothing',
  params: positionParams,
  usesPairTerms: true,
  output: positionOutput,
  scope: 'public',
  tool: {
    name: 'calculate_position_size',
    headline: sizeWords,
  },
  cost: 1,
  run: ({ params }) => calculatePositionSize(params),
});

/** A liquidation before the stop comes first, else the size that can be opened, then what the risk alone would allow. */
function sizeWords(
  {
    side,
    quantity,
    affordableQuantity,
    entry,
    stop,
    lossAtStop,
    liquidationPrice,
    stopComesFirst,
    mostLeverage,
  }: PositionSize,
  { asset }: { asset?: unknown } = {},
): string {
  const coin = typeof asset === 'string' ? ` ${asset}` : '';
  const isAffordable = Number(affordableQuantity) >= Number(quantity);
  if (!stopComesFirst)
    return `A ${side} from ${entry} is liquidated at ${liquidationPrice}, before its stop ${stop}: ${mostLeverage === null ? 'risk less or bring the stop nearer' : `take a leverage of ${mostLeverage} at most, or bring the stop nearer`}. The size would be ${isAffordable ? quantity : affordableQuantity}.`;
  const loss = Number(lossAtStop) * (isAffordable ? 1 : Number(affordableQuantity) / Number(quantity));
  const size = isAffordable
    ? `A ${side} of ${quantity}${coin}`
    : `The account carries a ${side} of ${affordableQuantity}${coin} (the risk alone would allow ${quantity}), which`;
  const from = `${isAffordable ? ` from ${entry} with stop ${stop} ` : ' '}loses ${isAffordable ? '' : 'about '}${formatNumber(loss)} at the stop`;
  return `${size}${from}${isAffordable ? '' : ` ${stop}, from ${entry}`}, fees included; the stop comes before liquidation.`;
}

/**
 * The largest quantity, in steps, that loses no more than the risk at the stop, both fees included: floor(account * risk /
 * (|entry - stop| + fee * (entry + stop))). It is not cut to what the account can carry; a note says so. The liquidation
 * price takes the position's own margin (isolated) or all of the account (cross) as backing. Throws `invalid_input` with
 * the field.
 */
export function calculatePositionSize(given: PositionParams): PositionSize {
  const params = { ...given, ...rulesIn(given) };
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
    mostLeverage: params.marginType === 'CROSS' ? null : mostLeverageOf(order),
    rules: rulesIn(given),
    notes: notesOf(params, order, sized),
  };
}

/** The largest whole leverage below entry / (entry - stop (1 - rate)), for a short entry / (stop (1 + rate) - entry). */
function mostLeverageOf({ side, entry, stop, maintenanceRate }: Order): number | null {
  const kept = stop.times(
    side === 'long' ? Decimal.one.minus(maintenanceRate) : Decimal.one.plus(maintenanceRate),
  );
  const gap = side === 'long' ? entry.minus(kept) : kept.minus(entry);
  const most = entry.dividedBy(gap, 0, 'ceil').minus(Decimal.one);
  return most.sign > 0 ? Number(String(most)) : null;
}

const rulesIn = ({ step, tick, minNotional, feePercent }: PositionParams) => ({
  step: step ?? defaultStep,
  tick,
  minNotional,
  feePercent: feePercent ?? String(defaultCosts.feePercent),
});

/** Parameters whose rules are known. */
type RuledParams = PositionParams & ReturnType<typeof rulesIn>;

type Order = ReturnType<typeof readOrder>;

/** The parameters as decimals: rates as fractions, prices rounded to the tick. */
function readOrder(params: RuledParams) {
  const risk = readPositive('riskPercent', params.riskPercent);
  if (risk.compare(hundred) > 0)
    refuseParam('riskPercent', `has to be at most 100, found ${params.riskPercent}`);
  const leverage = readPositive('leverage', params.leverage);
  if (leverage.compare(Decimal.one) < 0)
    refuseParam('leverage', `has to be at least 1, found ${params.leverage}`);
  const maintenanceRate = readRate('maintenanceMarginPercent', params.maintenanceMarginPercent);
  if (params.marginType === 'ISOLATED' && leverage.times(maintenanceRate).compare(Decimal.one) >= 0)
    refuseParam(
      'leverage',
      `leaves less than the maintenance margin of ${params.maintenanceMarginPercent} %: it has to be below ${formatNumber(100 / Number(params.maintenanceMarginPercent))}, found ${params.leverage}`,
    );
  return {
    ...readPrices(params),
    account: readPositive('accountSize', params.accountSize),
    risk: toFraction(risk),
    leverage,
    step: readPositive('step', params.step),
    minNotional: params.minNotional === null ? null : readPositive('minNotional', params.minNotional),
    fee: readRate('feePercent', params.feePercent),
    maintenanceRate,
  };
}

/** Entry and stop rounded to the tick, away from each other. */
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
  params: RuledParams,
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
      ? [`the notional of ${String(notional)} is below the minimum of ${String(minNotional)}`]
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
