import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { type ShownAnswer, useAnswer, useLater } from '../../client/use-answer.js';
import { Choice } from '../../parts/controls.js';
import { numberText, priceText, sentence, shareText } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';
import type { ChartInterval } from '../../parts/interval-choice.js';

/** The two lines of a trade that is thought about. */
export interface TradeLines {
  side: 'long' | 'short';
  target: number;
  stop: number;
}

const typingMs = 300;

/** The lines of a trade: as they are proposed, until the reader moves one. */
export function useTrade(asset: string, interval: ChartInterval) {
  const [side, setSide] = useState<TradeLines['side']>('long');
  const [moved, move] = useState<TradeLines | null>(null);
  const answer = useAnswer('POST /backend/analysis/trade-levels', { asset, interval, side });
  useEffect(() => move(null), [asset, interval, side]);
  const proposed = answer.data && linesOf(answer.data, side);
  // The proposed lines are asked for at once, those that are typed when the typing has ended.
  const later = useLater(moved, typingMs);
  return { side, setSide, answer, move, lines: moved ?? proposed, asked: (moved && later) ?? proposed };
}

function linesOf(
  { targets, stop, entry }: RoutePayload<'POST /backend/analysis/trade-levels'>,
  side: TradeLines['side'],
): TradeLines {
  const step = entry.price - stop.price;
  return { side, target: targets[0]?.price ?? entry.price + step, stop: stop.price };
}

interface TargetFirstProps {
  asset: string;
  interval: ChartInterval;
  trade: ReturnType<typeof useTrade>;
}

/** How often the target came before the stop; both are lines on the chart, dragged or typed. */
export function TargetFirst({ asset, interval, trade }: TargetFirstProps) {
  const { side, setSide, lines, asked, move } = trade;
  const answer = useAnswer(
    'POST /backend/analysis/target-probability',
    asked && { asset, interval, side: asked.side, target: asked.target, stop: asked.stop },
  );
  return (
    <Panel
      title="Target before stop"
      answer={shownOf(answer, trade.answer)}
      size={14}
      tools={
        <>
          <Choice label="Side" value={side} options={['long', 'short'] as const} onChange={setSide} />
          {lines && (
            <div class="filters">
              <PriceField
                label="Target"
                value={lines.target}
                onChange={(target) => move({ ...lines, target })}
              />
              <PriceField label="Stop" value={lines.stop} onChange={(stop) => move({ ...lines, stop })} />
            </div>
          )}
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

/** Until there are lines to ask for, the panel waits for the proposed ones, and says why there are none. */
const shownOf = <T,>(answer: ShownAnswer<T>, proposed: ShownAnswer<unknown>): ShownAnswer<T> =>
  answer.error || answer.data
    ? answer
    : { ...answer, error: proposed.error, isLoading: proposed.error === null, again: proposed.again };

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

interface PriceFieldProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

/** A price that is typed; what is no price yet changes nothing. */
function PriceField({ label, value, onChange }: PriceFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const text = priceText(value).replaceAll(',', '');
  // Not while it is typed: the page is drawn anew with each price.
  useLayoutEffect(() => void (field.current!.value = text), [text]);
  return (
    <label>
      {label}{' '}
      <input
        ref={field}
        inputMode="decimal"
        size={10}
        onChange={({ currentTarget }) => {
          const typed = Number(currentTarget.value.replaceAll(',', ''));
          if (typed > 0 && typed < Infinity) onChange(typed);
          else currentTarget.value = text;
        }}
      />
    </label>
  );
}
