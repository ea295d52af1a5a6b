import { Decimal } from '../../../compute/model/decimal.js';
import { fieldNames, isSplit, type SignalDraft } from './signal-draft.js';
import { shortText } from '../../operation.js';
import { missingField, wrongField, type SignalFault } from './signal-faults.js';

interface Level {
  field: string;
  price: string;
}

const hundred = Decimal.parse('100');
const levels = ['min', 'mid', 'max'] as const;

/**
 * The faults between the fields of a signal, each of which is valid by itself. `followed`: its stop may be at an entry price, so that
 * what is bought there is protected at break-even. `bought`: by anybody; its stop may be anywhere, and is refused where the price has
 * passed it.
 */
export const draftFaults = (
  draft: SignalDraft,
  state: 'new' | 'followed' | 'bought' = 'new',
): SignalFault[] => [
  ...gapFaults(draft),
  ...shareFaults(draft),
  ...orderFaults(draft, state),
  ...accountFaults(draft),
];

/** Targets are numbered without gaps. */
function gapFaults({ version, targets }: SignalDraft): SignalFault[] {
  const name = fieldNames[version].target;
  const last = targets.findLastIndex((target) => target !== undefined);
  return targets
    .slice(0, last)
    .flatMap((target, index) =>
      target === undefined && index > 0
        ? [wrongField(name(last + 1), `is given without "${name(index + 1)}"`)]
        : [],
    );
}

/** The shares of a split entry add up to 100, and each has its price. */
function shareFaults(draft: SignalDraft): SignalFault[] {
  if (!isSplit(draft)) return [];
  const { version, mode, prices, shares } = draft;
  const { entry, share } = fieldNames[version];
  const given = levels.filter((level) => shares[level] !== undefined);
  const without = given.filter((level) => prices[level] === undefined);
  const sum = Decimal.sum(given.map((level) => Decimal.parse(shares[level]!)));
  return [
    ...without.map((level) => missingField(entry[level], `is required with "${share[level]}"`)),
    ...(sum.compare(hundred) === 0
      ? []
      : [wrongField(share[given[0]], `and the other shares must add up to 100, found ${sum.toString()}`)]),
    ...(mode === 'market'
      ? [wrongField('entry_mode', 'must be "range" for an entry that is split over several prices')]
      : []),
  ];
}

/**
 * For a long: stop below the entries, entries below the targets, each target above the one before. For a short the other way.
 * The lower entry may equal the upper one.
 */
function orderFaults(draft: SignalDraft, state: 'new' | 'followed' | 'bought'): SignalFault[] {
  const { version, side, prices, targets, stopLoss } = draft;
  const names = fieldNames[version];
  const entries = levels.flatMap((level): Level[] =>
    prices[level] === undefined ? [] : [{ field: names.entry[level], price: prices[level] }],
  );
  const stop: Level[] = stopLoss === null ? [] : [{ field: names.stopLoss, price: stopLoss }];
  const exits = targets.flatMap((price, index): Level[] =>
    price === undefined ? [] : [{ field: names.target(index + 1), price }],
  );
  const isLong = side === 'long';
  const near = isLong ? entries.at(-1) : entries[0];
  const far = isLong ? entries[0] : entries.at(-1);
  const [better, worse] = isLong ? (['above', 'below'] as const) : (['below', 'above'] as const);
  const isFree = state === 'bought' || (state === 'followed' && isAnEntry(stopLoss, entries));
  return [
    ...chainFaults(entries, 'at or above'),
    ...chainFaults([...(near ? [near] : []), ...exits], better),
    ...(isFree ? [] : chainFaults([...(far ? [far] : []), ...stop], worse)),
  ];
}

const isAnEntry = (stop: string | null, entries: readonly Level[]): boolean =>
  stop !== null && entries.some(({ price }) => Decimal.parse(price).compare(Decimal.parse(stop)) === 0);

type Relation = 'above' | 'below' | 'at or above';

const holds: Record<Relation, (order: number) => boolean> = {
  above: (order) => order > 0,
  below: (order) => order < 0,
  'at or above': (order) => order >= 0,
};

/** A fault for each level that is not on the right side of the one before it. */
export const chainFaults = (chain: readonly Level[], relation: Relation): SignalFault[] =>
  chain.slice(1).flatMap(({ field, price }, index) => {
    const before = chain[index];
    if (holds[relation](Decimal.parse(price).compare(Decimal.parse(before.price)))) return [];
    return [
      wrongField(field, `must be ${relation} "${before.field}" (${before.price}), found ${shortText(price)}`),
    ];
  });

/** SPOT has neither leverage nor margin. */
function accountFaults({ account, leverage, marginType }: SignalDraft): SignalFault[] {
  if (account !== 'SPOT') return [];
  return [
    ...(leverage === 1 ? [] : [wrongField('leverage', `must be 1 for account SPOT, found ${leverage}`)]),
    ...(marginType === 'ISOLATED'
      ? []
      : [wrongField('margin_type', `must be ISOLATED for account SPOT, found ${marginType}`)]),
  ];
}
