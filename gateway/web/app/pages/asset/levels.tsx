import type { RoutePayload } from '../../client/routes.js';
import type { ShownAnswer } from '../../client/use-answer.js';
import { percentText, priceText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';

type Level = RoutePayload<'POST /backend/analysis/support-resistance'>['above'][number];

/** Prices at which the market has turned, above and below. */
export const Levels = ({
  answer,
}: {
  answer: ShownAnswer<RoutePayload<'POST /backend/analysis/support-resistance'>>;
}) => (
  <Panel title="Levels" answer={answer} size={14}>
    {({ above, below, price: now }) => (
      <dl class="figures">
        {above.toReversed().map((level) => (
          <LevelRow key={level.price} level={level} />
        ))}
        <div class="now">
          <dt>Price</dt>
          <dd class="figure">{priceText(now)}</dd>
        </div>
        {below.map((level) => (
          <LevelRow key={level.price} level={level} />
        ))}
        {above.length + below.length === 0 && <p class="empty">No level in the stored candles.</p>}
      </dl>
    )}
  </Panel>
);

const LevelRow = ({ level: { name, price: at, distancePercent, touches, confluence } }: { level: Level }) => (
  <div>
    <dt>
      {name}
      {confluence > 1 && <span class="quiet"> {confluence} kinds agree</span>}
      {touches !== null && <span class="quiet"> {touches} touches</span>}
    </dt>
    <dd>
      <span class="figure">{priceText(at)}</span>{' '}
      <span class="quiet figure">{percentText(distancePercent)}</span>
    </dd>
  </div>
);
