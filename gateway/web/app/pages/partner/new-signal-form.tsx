import { useState } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { ActionFault } from '../../parts/action-fault.js';
import { AssetField } from '../../parts/asset-field.js';
import { CheckField } from '../../parts/check-field.js';
import { Choice } from '../../parts/choice.js';
import { numberText, percentText, shareText } from '../../parts/formats.js';
import { DecimalField } from '../../parts/input-field.js';
import { SelectField } from '../../parts/select-field.js';
import { SignalLevels } from '../../charts/signal-levels.js';
import type { PartnerChannel } from './own-channels.js';
import { SendDialog } from './send-dialog.js';
import {
  mostSignalTargets,
  signalLabels,
  targetName,
  useSignalCheck,
  type ShownOutlook,
  type SignalInput,
} from './signal-check.js';
import { Section } from '../../parts/section.js';

interface NewSignalFormProps {
  channels: readonly PartnerChannel[];
  onSent: () => void;
}

/** A signal, checked by the service while it is typed, with its prices on a chart. */
export function NewSignalForm({ channels, onSent }: NewSignalFormProps) {
  const [channelId, setChannel] = useState('');
  const [chosen, setExchange] = useState('');
  const [type, setType] = useState<'long' | 'short'>('long');
  const [coin, setCoin] = useState('BTC');
  const [prices, setPrices] = useState<Readonly<Record<string, string>>>({});
  const [targets, setTargets] = useState(1);
  const [isMeant, setMeant] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { data: supported } = useAnswer('GET /backend/analysis/supported-exchanges', {});
  const { data: known } = useAnswer('GET /backend/analysis/list-assets', {});
  const exchanges = supported?.exchanges.filter(({ kind }) => kind === 'key') ?? [];
  // At first the one that the candles come from.
  const exchange = chosen || (exchanges.find(({ isMarket }) => isMarket) ?? exchanges[0])?.exchange;
  const channel = channels.find(({ id }) => id === channelId) ?? channels[0];
  const given = Object.fromEntries(Object.entries(prices).filter(([, text]) => text !== ''));
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
  const askedPrices = asked as unknown as Readonly<Record<string, string | undefined>>;
  const targetNames = Array.from({ length: targets }, (_, n) => targetName(n));
  return (
    <div class="columns">
      <Section title="New signal">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isValid) setAsking(true);
          }}
        >
          <div class="fields">
            {channel && (
              <SelectField
                label="Channel"
                value={channel.id}
                options={Object.fromEntries(channels.map(({ id, name }) => [id, name]))}
                onChange={setChannel}
              />
            )}
            <SelectField
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
          <div class="fields">
            {['buy_price_min', 'buy_price_max', ...targetNames, 'stop_loss'].map((field) => (
              <DecimalField
                key={field}
                label={signalLabels[field]}
                fault={faultOf(field)}
                value={prices[field] ?? ''}
                onChange={(text) => setPrices({ ...prices, [field]: text.trim() })}
              />
            ))}
          </div>
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
            <button
              type="button"
              class="plain"
              disabled={targets === mostSignalTargets}
              onClick={() => setTargets(targets + 1)}
            >
              Another target
            </button>
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
        <SendDialog
          body={body}
          channel={channel?.name}
          onClose={() => setAsking(false)}
          onSent={() => {
            setPrices({});
            setTargets(1);
            setMeant(false);
            onSent();
          }}
        />
      )}
    </div>
  );
}

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
