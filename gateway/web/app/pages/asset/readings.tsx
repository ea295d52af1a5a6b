import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { type AnswerOf, useAnswer } from '../../client/use-answer.js';
import { SideChoice } from '../../parts/controls.js';
import {
  capital,
  numberText,
  percentText,
  plainWords,
  priceText,
  sentence,
  unknownMark,
} from '../../parts/formats.js';
import type { AssetPair } from '../../parts/preferences.js';
import { Evidence, FigureList } from '../../parts/lists.js';
import { Panel } from '../../parts/page.js';

const signs = { bullish: '▲', bearish: '▼', neutral: '●' } as const;

/** What the indicators say, by group, each with its reason. */
export const ReadingsPanel = ({ pair }: { pair: AssetPair }) => (
  <Panel
    title="Readings"
    answer={useAnswer('POST /backend/analysis/technical-summary', pair, ['candle'])}
    size={14}
  >
    {({ verdict, groups, votes, picture }) => (
      <>
        <p>
          <strong>{capital(verdict)}</strong>. {sentence(picture.says)}
        </p>
        {Object.entries(groups).map(([group, { verdict: said, bullish, bearish, neutral }]) => (
          <details key={group}>
            <summary>
              {capital(group)}: {said}
              <span class="quiet end">
                {signs.bullish} {bullish} {signs.neutral} {neutral} {signs.bearish} {bearish}
              </span>
            </summary>
            <Evidence
              rows={votes
                .filter((each) => each.group === group)
                .map(({ vote, reason }) => [signs[vote], vote, reason])}
            />
          </details>
        ))}
      </>
    )}
  </Panel>
);

/** By shape and word: how full the shape is grows with the risk. */
const profiles = { low: '◇ low', moderate: '◈ moderate', tooRisky: '◆ too risky' } as const;

/** How risky a trade is now, on each side, with the reasons. */
export function Risk({ asset }: { asset: string }) {
  const [side, setSide] = useState<'long' | 'short'>('long');
  const answer = useAnswer('POST /backend/analysis/assess-risk', { asset, side }, ['candle']);
  return (
    <Panel title="Risk" answer={answer} size={14} tools={<SideChoice value={side} onChange={setSide} />}>
      {({ riskProfile, score, reasons }) => (
        <>
          <p>
            A {side} is <strong>{profiles[riskProfile]}</strong> now{' '}
            <span class="quiet">(score {score})</span>.
          </p>
          <FigureList
            rows={reasons
              .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))
              .map(({ rule, value, points }) => [
                capital(plainWords(rule.replace('.', ', '))),
                valueText(value),
                points > 0 ? `+${points}` : points,
              ])}
          />
        </>
      )}
    </Panel>
  );
}

const valueText = (value: string | number | null): string =>
  typeof value === 'number'
    ? numberText(value)
    : (value ?? unknownMark).replace(/\d+\.\d+/g, (digits) => numberText(Number(digits)));

type Level = RoutePayload<'POST /backend/analysis/support-resistance'>['above'][number];

/** Prices at which the market has turned, above and below. */
export const Levels = ({ answer }: { answer: AnswerOf<'POST /backend/analysis/support-resistance'> }) => (
  <Panel title="Levels" answer={answer} size={14}>
    {({ above, below, price: now }) => (
      <>
        <FigureList
          rows={[
            ...above.toReversed().map(levelRow),
            [<strong>Price</strong>, '', <strong>{priceText(now)}</strong>],
            ...below.map(levelRow),
          ]}
        />
        {above.length + below.length === 0 && <p class="empty">No level in the stored candles.</p>}
      </>
    )}
  </Panel>
);

const levelRow = ({ name, price, distancePercent, touches, confluence }: Level) =>
  [
    name,
    `${confluence > 1 ? `${confluence} kinds agree` : ''}${touches === null ? '' : ` ${touches} touches`}`,
    <>
      {priceText(price)} <span class="quiet">{percentText(distancePercent)}</span>
    </>,
  ] as const;
