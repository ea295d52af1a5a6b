import type { RoutePayload } from '../../client/routes.js';
import type { AnswerOf } from '../../client/use-answer.js';
import { FigureList } from '../../parts/lists.js';
import { percentText, priceText } from '../../parts/formats.js';
import { Panel } from '../../parts/page.js';

type LevelsAnswer = RoutePayload<'POST /backend/analysis/support-resistance'>;

/** Prices at which the market has turned, above and below. */
export const Levels = ({ answer }: { answer: AnswerOf<'POST /backend/analysis/support-resistance'> }) => (
  <Panel title="Levels" answer={answer} size={14}>
    {({ above, below, price: now }) => (
      <>
        <FigureList
          rows={[
            ...above.toReversed().map(rowOf),
            [<strong>Price</strong>, '', <strong>{priceText(now)}</strong>],
            ...below.map(rowOf),
          ]}
        />
        {above.length + below.length === 0 && <p class="empty">No level in the stored candles.</p>}
      </>
    )}
  </Panel>
);

const rowOf = ({ name, price, distancePercent, touches, confluence }: LevelsAnswer['above'][number]) =>
  [
    name,
    `${confluence > 1 ? `${confluence} kinds agree` : ''}${touches === null ? '' : ` ${touches} touches`}`,
    <>
      {priceText(price)} <span class="quiet">{percentText(distancePercent)}</span>
    </>,
  ] as const;
