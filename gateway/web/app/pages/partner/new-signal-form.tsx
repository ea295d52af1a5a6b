import { useId, useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Section } from '../../parts/page.js';
import { ActionFault } from '../../parts/states.js';
import { AskedAction } from '../../parts/dialogs.js';
import {
  InputFields,
  firstValues,
  givenOf,
  type FieldSpec,
  type Typed,
  useKept,
} from '../../parts/fields.js';
import { Button, CheckField, SideChoice } from '../../parts/controls.js';
import { numberText, percentText, shareText } from '../../parts/formats.js';
import { Lines } from '../../parts/lists.js';
import { SignalLevels } from '../../charts/signal-levels.js';
import type { PartnerChannel } from './own-channels.js';
import {
  mostSignalTargets,
  type ShownOutlook,
  type SignalInput,
  signalLabels,
  targetName,
  useSignalCheck,
} from './signal-check.js';

const usdt = 'USDT';

interface NewSignalProps {
  channels: readonly PartnerChannel[];
  /** Those at which followers may trade. */
  exchanges: RoutePayload<'GET /backend/analysis/supported-exchanges'>['exchanges'];
}

/** A signal, checked by the service while it is typed, with its prices on a chart. */
export function NewSignalForm({ channels, exchanges }: NewSignalProps) {
  const form = useId();
  const [type, setType] = useKept<'long' | 'short'>('side of a signal', 'long');
  const [typed, setTyped] = useKept<Typed>('signal', {});
  const [targets, setTargets] = useKept('targets of a signal', 1);
  const [isMeant, setMeant] = useState(false);
  const { data: known } = useAnswer('GET /backend/analysis/list-assets', {});
  const names = Object.fromEntries(channels.map(({ id, name }) => [id, name]));
  const targetNames = Array.from({ length: targets }, (_, n) => targetName(n));
  // At first the exchange that the candles come from.
  const { exchange: first = '' } = exchanges.find(({ isMarket }) => isMarket) ?? exchanges[0] ?? {};
  const fields: readonly FieldSpec[] = [
    { name: 'channel', label: 'Channel', options: names, value: channels[0]?.id ?? '' },
    { name: 'exchange', label: 'Exchange', options: exchanges.map(({ exchange }) => exchange), value: first },
    { name: 'coin', label: 'Asset', type: 'asset', value: 'BTC' },
  ];
  const values = { ...firstValues(fields), ...typed };
  const prices = ['buy_price_min', 'buy_price_max', ...targetNames, 'stop_loss'].map(priceField);
  const { channel: channelId, exchange, coin } = values;
  const channel = channels.find(({ id }) => id === channelId);
  const given = givenOf([...fields, ...prices], values);
  const body = { ...given, type, trade_market: usdt, confirm_price: isMeant } as SignalInput;
  const { asked, faultOf, missing, asksMeant, outlook, isValid, error } = useSignalCheck(body);
  const drawn = asked as unknown as Typed;
  const soldAt = targetNames.flatMap((name) => given[name] ?? []);
  // What is chosen first may change, as when the first channel is made: kept is only what was typed.
  const onChange = (_: Typed, change: Typed) => setTyped({ ...typed, ...change });
  const shared = { values, onChange, faultOf };
  return (
    <div class="columns">
      <Section title="New signal">
        <form id={form} onSubmit={(event) => event.preventDefault()}>
          <InputFields fields={channel ? fields : fields.slice(1)} {...shared} />
          <p>
            <SideChoice value={type} onChange={setType} />
          </p>
          <InputFields fields={prices} {...shared} />
          {(isMeant || asksMeant) && (
            <CheckField isChecked={isMeant} onChange={setMeant}>
              The entry price is meant
            </CheckField>
          )}
          <div role="status">
            {missing.length > 0 && <p class="quiet">Still missing: {missing.join(', ')}.</p>}
            {outlook && missing.length === 0 && <Prospect outlook={outlook} />}
          </div>
          <ActionFault error={error} />
        </form>
        <div class="actions">
          <AskedAction
            verb="Send signal"
            title="Send this signal"
            verbNow="Send now"
            class=""
            form={form}
            disabled={!isValid}
            route="POST /backend/partner/signals"
            input={body}
            onDone={() => {
              setTyped({ channel: channelId, exchange, coin });
              setTargets(1);
              setMeant(false);
            }}
            question={
              <>
                {coin} {type} on {exchange}: buy from {given.buy_price_min} to {given.buy_price_max},
                {soldAt.length > 0 && ` sell at ${soldAt.join(', ')},`} stop at{' '}
                {given.stop_loss ?? 'no price'}. It goes to all who follow{' '}
                {channel?.name ?? 'your first channel, which is made with it'}, and those who place orders buy
                at once.
              </>
            }
          />
          <Button
            class="plain"
            disabled={targets === mostSignalTargets}
            onClick={() => setTargets(targets + 1)}
          >
            Another target
          </Button>
          {channel && <span class="quiet">{channel.trackRecord.followers} followers</span>}
        </div>
      </Section>
      {known?.assets.some(({ asset }) => asset === drawn.coin) && (
        <SignalLevels
          asset={drawn.coin}
          tradeMarket={usdt}
          entries={[drawn.buy_price_min, drawn.buy_price_max]}
          targets={targetNames.map((name) => drawn[name])}
          stop={drawn.stop_loss}
        />
      )}
    </div>
  );
}

const priceField = (name: string): FieldSpec => ({ name, label: signalLabels[name], type: 'decimal' });

/** What can be told of a signal without faults. */
const Prospect = ({
  outlook: { risk_percent: risk, targets, entry_distance_percent: away, warnings },
}: {
  outlook: ShownOutlook;
}) => (
  <>
    <p>
      Risk {risk === null ? 'without an end' : shareText(risk, 1)}, reward{' '}
      {targets
        .map(({ percent, r }) => `${shareText(percent, 1)}${r === null ? '' : ` (${numberText(r)} R)`}`)
        .join(', ')}
      {away !== null && `; the entry is ${percentText(away, 1)} from the market`}.
    </p>
    <Lines of={warnings.map((warning) => `⚠ ${warning}`)} />
  </>
);
