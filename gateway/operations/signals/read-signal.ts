import type { TradeSide } from '../../../compute/model/risk-assessment.js';
import { Decimal } from '../../../compute/model/decimal.js';
import type { ChannelDefaults } from '../../../storage/signals/channel.js';
import type { Deps } from '../../context.js';
import {
  createV1Fields,
  createV2Fields,
  mostTargets,
  type SharedFields,
  readFormattedText,
} from './create-fields.js';
import { draftFaults } from './draft-faults.js';
import { fieldNames, type SignalDraft } from './signal-draft.js';
import { shortText } from '../../operation.js';
import { checkFields, wrongField, type SignalFault } from './signal-faults.js';

/** A signal as it was read: all its faults, and its draft where each field is valid by itself. */
export interface ReadSignal {
  draft: SignalDraft | null;
  faults: SignalFault[];
}

type Given = Record<string, unknown>;

/** What a signal of version 1 or 2 says, completed by the defaults of its channel. */
export function readSignal(
  version: 1 | 2,
  given: Given,
  { exchanges }: Pick<Deps, 'exchanges'>,
  defaults: ChannelDefaults,
): ReadSignal {
  const { fields, faults } =
    version === 1 && given.formatted_text !== undefined
      ? readFormattedText(given.formatted_text)
      : { fields: given, faults: [] };
  if (faults.length > 0) return { draft: null, faults };
  const read = version === 1 ? readV1(fields) : readV2(fields);
  const targets = numbered(mostTargets[version], fieldNames[version].target);
  // The targets of the channel are used only for a signal without any target.
  const usesDefaults =
    defaults.targetPercents.length > 0 && targets.every((name) => fields[name] === undefined);
  const fieldFaults = read.faults.filter(
    ({ field, kind }) => !usesDefaults || field !== targets[0] || kind !== 'missing',
  );
  const found = [...fieldFaults, ...exchangeFaults(fields.exchange, exchanges.exchanges)];
  if (found.length > 0) return { draft: null, faults: found };
  const draft = withDefaults(read.draft(), defaults);
  return { draft, faults: draftFaults(draft) };
}

function exchangeFaults(
  given: unknown,
  { entries }: { entries: readonly { name: string }[] },
): SignalFault[] {
  const names = entries.map(({ name }) => name);
  if (typeof given !== 'string' || names.includes(given)) return [];
  return [wrongField('exchange', `must be one of ${names.join(', ')}, found ${shortText(given)}`)];
}

interface ReadFields {
  faults: SignalFault[];
  /** Only without faults. */
  draft: () => SignalDraft;
}

function readV1(given: Given): ReadFields {
  const { value, faults } = checkFields(createV1Fields, given);
  const draft = (): SignalDraft => ({
    ...sharedParts(value),
    version: 1,
    account: 'SPOT',
    leverage: 1,
    marginType: 'ISOLATED',
    mode: 'range',
    shares: {},
    prices: { min: value.buy_price_min, max: value.buy_price_max },
    targets: numbered(mostTargets[1], (number) => value[`sell_price_${number}`]),
    investPercent: value.invest ?? null,
  });
  return { faults, draft };
}

function readV2(given: Given): ReadFields {
  const { value, faults } = checkFields(createV2Fields, given);
  const draft = (): SignalDraft => ({
    ...sharedParts(value),
    version: 2,
    account: value.account,
    leverage: value.leverage,
    marginType: value.margin_type,
    mode: value.entry_mode,
    prices: givenOnly({ min: value.entry_price_min, mid: value.entry_price_mid, max: value.entry_price_max }),
    shares: givenOnly({
      min: value.invest_entry_min,
      mid: value.invest_entry_mid,
      max: value.invest_entry_max,
    }),
    targets: numbered(mostTargets[2], (number) => value[`exit_price_${number}`]),
    investPercent: value.invest,
  });
  return { faults, draft };
}

const sharedParts = (value: SharedFields) => ({
  coin: value.coin,
  quote: value.trade_market,
  exchange: value.exchange,
  side: value.type,
  stopLoss: value.stop_loss ?? null,
  ttlMs: value.ttl_buy_order ?? null,
  confirmsPrice: value.confirm_price ?? false,
  imageUrls: [value.attachment_image1_url, value.attachment_image2_url].filter((url) => url !== undefined),
  description: value.attachment_description ?? null,
});

const numbered = <T>(count: number, of: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index + 1));

/** The object without what is undefined. */
const givenOnly = <K extends string, V>(values: Record<K, V | undefined>): Partial<Record<K, V>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<K, V>
  >;

/** Targets and stop at the distances of the channel, where the signal has none. */
function withDefaults(draft: SignalDraft, { targetPercents, stopLossPercent }: ChannelDefaults): SignalDraft {
  const { side } = draft;
  const hasTarget = draft.targets.some((target) => target !== undefined);
  return {
    ...draft,
    targets: hasTarget
      ? draft.targets
      : targetPercents.map((each) => distant(nearestEntry(draft), each, side)),
    stopLoss:
      draft.stopLoss ?? (stopLossPercent && distant(farthestEntry(draft), stopLossPercent, opposite(side))),
  };
}

const opposite = (side: TradeSide): TradeSide => (side === 'long' ? 'short' : 'long');
const hundred = Decimal.parse('100');

/** Places kept of a price that is made of another. */
const derivedPlaces = 12;

/** A price this many percent above (for `long`) or below (for `short`) another. */
export function distant(from: string, percent: string, towards: TradeSide): string {
  const share = Decimal.parse(percent);
  const factor = towards === 'long' ? hundred.plus(share) : hundred.minus(share);
  return Decimal.parse(from).times(factor).dividedBy(hundred, derivedPlaces, 'half-even').toString();
}

/** The entry price that is reached last. */
export const farthestEntry = ({ side, prices }: SignalDraft): string =>
  side === 'long' ? lowest(prices) : highest(prices);

/** The entry price that is reached first. */
const nearestEntry = ({ side, prices }: SignalDraft): string =>
  side === 'long' ? highest(prices) : lowest(prices);

const lowest = ({ min, mid, max }: SignalDraft['prices']): string => (min ?? mid ?? max)!;
const highest = ({ min, mid, max }: SignalDraft['prices']): string => (max ?? mid ?? min)!;
