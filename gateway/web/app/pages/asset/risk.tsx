import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { Choice } from '../../parts/controls.js';
import { FigureList } from '../../parts/lists.js';
import { capital, numberText, plainWords, unknownMark } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';

/** By shape and word: how full the shape is grows with the risk. */
const profiles = { low: '◇ low', moderate: '◈ moderate', tooRisky: '◆ too risky' } as const;

/** How risky a trade is now, on each side, with the reasons. */
export function Risk({ asset }: { asset: string }) {
  const [side, setSide] = useState<'long' | 'short'>('long');
  const answer = useAnswer('POST /backend/analysis/assess-risk', { asset, side }, ['candle']);
  return (
    <Panel
      title="Risk"
      answer={answer}
      size={14}
      tools={<Choice label="Side" value={side} options={['long', 'short'] as const} onChange={setSide} />}
    >
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
