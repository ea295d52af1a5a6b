import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { ActionFault, Section } from '../../parts/page.js';
import { FormDialog } from '../../parts/dialogs.js';
import { AssetField, InputField, InputFields, type FieldSpec, type Typed } from '../../parts/fields.js';
import { Button, CheckField, Choice } from '../../parts/controls.js';
import { numberText, percentText, shareText } from '../../parts/formats.js';
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

/** A signal, checked by the service while it is typed, with its prices on a chart. */
export function NewSignalForm({ channels }: { channels: readonly PartnerChannel[] }) {
  const [channelId, setChannel] = useState('');
  const [chosen, setExchange] = useState('');
  const [type, setType] = useState<'long' | 'short'>('long');
  const [coin, setCoin] = useState('BTC');
  const [prices, setPrices] = useState<Typed>({});
  const [targets, setTargets] = useState(1);
  const [isMeant, setMeant] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // Sent again after a fault, it is the same signal.
  const sending = useRef('');
  const { data: supported } = useAnswer('GET /backend/analysis/supported-exchanges', {});
  const { data: known } = useAnswer('GET /backend/analysis/list-assets', {});
  const exchanges = supported?.exchanges.filter(({ kind }) => kind === 'key') ?? [];
  // At first the one that the candles come from.
  const exchange = chosen || (exchanges.find(({ isMarket }) => isMarket) ?? exchanges[0])?.exchange;
  const channel = channels.find(({ id }) => id === channelId) ?? channels[0];
  const given = Object.fromEntries(
    Object.entries(prices).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  ) as Typed;
  const body = {
    coin,
    exchange,
    type,
    trade_market: 'USDT',
    confirm_price: isMeant,
    ...given,
    ...(channel ? { channel: channel.id } : {}),
  } as SignalInput;
  const { asked, faultOf, missing, asksMeant, outlook, isValid, error } = useSignalCheck(body);
  const askedPrices = asked as unknown as Typed;
  const targetNames = Array.from({ length: targets }, (_, n) => targetName(n));
  const soldAt = targetNames.map((name) => given[name]).filter(Boolean);
  return (
    <div class="columns">
      <Section title="New signal">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isValid) return;
            sending.current = crypto.getRandomValues(new Uint32Array(4)).join('-');
            setAsking(true);
          }}
        >
          <div class="fields">
            {channel && (
              <InputField
                label="Channel"
                value={channel.id}
                options={Object.fromEntries(channels.map(({ id, name }) => [id, name]))}
                onChange={setChannel}
              />
            )}
            <InputField
              label="Exchange"
              value={exchange ?? ''}
              options={exchanges.map((each) => each.exchange)}
              onChange={setExchange}
              fault={faultOf('exchange')}
            />
            <AssetField value={coin} onChange={setCoin} fault={faultOf('coin')} />
          </div>
          <p>
            <Choice label="Side" value={type} options={['long', 'short'] as const} onChange={setType} />
          </p>
          <InputFields
            fields={['buy_price_min', 'buy_price_max', ...targetNames, 'stop_loss'].map(priceField)}
            values={prices}
            onChange={setPrices}
            faultOf={faultOf}
          />
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
          <p class="actions">
            <button type="submit" disabled={!isValid}>
              Send signal
            </button>
            <Button
              class="plain"
              disabled={targets === mostSignalTargets}
              onClick={() => setTargets(targets + 1)}
            >
              Another target
            </Button>
            {channel && <span class="quiet">{channel.trackRecord.followers} followers</span>}
          </p>
        </form>
      </Section>
      <SignalLevels
        terms={
          known?.assets.some(({ asset }) => asset === asked.coin)
            ? {
                asset: asked.coin!,
                tradeMarket: 'USDT',
                entries: [askedPrices.buy_price_min, askedPrices.buy_price_max],
                targets: targetNames.map((name) => askedPrices[name]),
                stop: askedPrices.stop_loss,
              }
            : null
        }
      />
      {isAsking && (
        <FormDialog
          title="Send this signal"
          verb="Send now"
          route="POST /backend/partner/signals"
          input={body}
          headers={{ 'idempotency-key': sending.current }}
          onClose={() => setAsking(false)}
          onDone={() => {
            setPrices({});
            setTargets(1);
            setMeant(false);
          }}
        >
          <p>
            {coin} {type} on {exchange}: buy from {given.buy_price_min} to {given.buy_price_max},
            {soldAt.length > 0 && ` sell at ${soldAt.join(', ')},`} stop at {given.stop_loss ?? 'no price'}.
          </p>
          <p>
            It goes to all who follow {channel?.name ?? 'your first channel, which is made with it'}, and
            those who place orders buy at once.
          </p>
        </FormDialog>
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
    {warnings.map((warning) => (
      <p key={warning}>⚠ {warning}.</p>
    ))}
  </>
);
