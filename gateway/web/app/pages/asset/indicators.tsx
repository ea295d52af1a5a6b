import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { CheckField } from '../../parts/controls.js';
import { prefer, preferences } from '../../parts/preferences.js';

const most = 6;

/** Chooses curves over the candles. */
export function Indicators() {
  const [isOpened, setOpened] = useState(false);
  const { data } = useAnswer('GET /backend/analysis/list-indicators', isOpened ? {} : null);
  const chosen = preferences.value.indicators;
  // Those of the price's own scale can lie over the candles.
  const known = (data?.indicators ?? []).filter(
    ({ kind, name }) => kind === 'trend' || /bollinger|keltner|donchian/.test(name),
  );
  return (
    <details class="menu" onToggle={() => setOpened(true)}>
      <summary class="button plain small">Indicators{chosen.length > 0 && ` (${chosen.length})`}</summary>
      <fieldset class="checks">
        <legend class="unseen">Indicators on the chart, {most} at most</legend>
        {known.map(({ name, title }) => {
          const isChosen = chosen.some((each) => each.name === name);
          const added = isChosen ? [] : [{ name, params: {} }];
          return (
            <CheckField
              key={name}
              isChecked={isChosen}
              disabled={!isChosen && chosen.length >= most}
              onChange={() =>
                prefer(({ indicators }) => ({
                  indicators: [...indicators.filter((each) => each.name !== name), ...added],
                }))
              }
            >
              {title}
            </CheckField>
          );
        })}
      </fieldset>
    </details>
  );
}
