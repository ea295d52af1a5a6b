import { useEffect, useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer, useLater } from '../../client/use-answer.js';
import { NumberInput, SideChoice } from '../../parts/controls.js';
import { capital, numberText, priceText, sentence, shareText } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';
import type { AssetPair } from '../../parts/preferences.js';

/** The two lines of a trade that is thought about. */
export interface TradeLines {
  side: 'long' | 'short';
  target: number;
  stop: number;
}

/** The lines of a trade: as they are proposed, until the reader moves one. */
export function useTrade(pair: AssetPair) {
  const [side, setSide] = useState<TradeLines['side']>('long');
  const [moved, move] = useState<TradeLines | null>(null);
  const plan = useAnswer('POST /backend/analysis/trade-levels', { ...pair, side });
  useEffect(() => move(null), [pair.asset, pair.interval, side]);
  const proposed = () => plan.data && linesOf(plan.data, side);
  // The proposed lines are asked for at once, those that are typed when the typing has ended.
  const later = useLater(moved);
  return {
    side,
    setSide,
    plan,
    move,
    /** Read where they are shown, so that the page is not drawn anew when they come. */
    lines: () => moved ?? proposed(),
    asked: () => (moved && later) ?? proposed(),
  };
}

function linesOf(
  { targets, stop, entry }: RoutePayload<'POST /backend/analysis/trade-levels'>,
  side: TradeLines['side'],
): TradeLines {
  const step = entry.price - stop.price;
  return { side, target: targets[0]?.price ?? entry.price + step, stop: stop.price };
}

/** How often the target came before the stop; both are lines on the chart, dragged or typed. */
export function TargetFirst({ pair, trade }: { pair: AssetPair; trade: ReturnType<typeof useTrade> }) {
  const { side, setSide, move, plan } = trade;
  const [lines, asked] = [trade.lines(), trade.asked()];
  const odds = useAnswer('POST /backend/analysis/target-probability', asked && { ...pair, ...asked });
  return (
    <Panel
      title="Target before stop"
      // Until there are lines to ask for, it waits for the proposed ones, and says why there are none.
      answer={asked ? odds : { ...plan, data: null }}
      size={14}
      tools={
        <>
          <SideChoice value={side} onChange={setSide} />
          <div class="filters">
            {lines &&
              (['target', 'stop'] as const).map((name) => (
                <label key={name}>
                  {capital(name)}{' '}
                  <NumberInput
                    size={10}
                    value={priceText(lines[name]).replaceAll(',', '')}
                    onChange={(price) => move({ ...lines, [name]: price })}
                  />
                </label>
              ))}
          </div>
        </>
      }
    >
      {({ all, similar, rewardToRisk, notes }) => (
        <>
          <p class="large">
            <strong class="figure">{shareText(similar.targetPercent ?? all.targetPercent)}</strong> reached
            the target first
          </p>
          <Cases label="in times as calm or wild as now" cases={similar} />
          <Cases label="in all times" cases={all} />
          <p class="quiet">
            Reward to risk 1 : {numberText(rewardToRisk)}. {notes.map(sentence).join(' ')}
          </p>
        </>
      )}
    </Panel>
  );
}

type Touches = RoutePayload<'POST /backend/analysis/target-probability'>['all'];

const Cases = ({ label, cases }: { label: string; cases: Touches }) => (
  <p>
    {label}:{' '}
    {cases.targetPercent === null ? (
      cases.reason
    ) : (
      <span class="figure">
        {shareText(cases.targetPercent)} ({numberText(cases.targetLowPercent, 0)} to{' '}
        {numberText(cases.targetHighPercent, 0)}), {cases.count} cases
      </span>
    )}
  </p>
);
