import { useRef } from 'preact/hooks';
import { FormDialog } from '../../parts/form-dialog.js';
import { mostSignalTargets, targetName, type SignalInput } from './signal-check.js';

interface SendDialogProps {
  body: SignalInput;
  channel: string | undefined;
  onClose: () => void;
  onSent: () => void;
}

/** Asks once before a signal goes to all who follow the channel. Sent again after a fault, it is the same signal. */
export function SendDialog({ body, channel, onClose, onSent }: SendDialogProps) {
  const key = useRef(crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const prices = body as unknown as Readonly<Record<string, string | undefined>>;
  const targets = Array.from({ length: mostSignalTargets }, (_, n) => prices[targetName(n)]).filter(Boolean);
  return (
    <FormDialog
      title="Send this signal"
      verb="Send now"
      isDanger
      route="POST /backend/partner/signals"
      input={body}
      headers={{ 'idempotency-key': key.current }}
      onDone={onSent}
      onClose={onClose}
    >
      <p>
        {body.coin} {body.type} on {body.exchange}: buy from {prices.buy_price_min} to {prices.buy_price_max},
        {targets.length > 0 && ` sell at ${targets.join(', ')},`} stop at {prices.stop_loss ?? 'no price'}.
      </p>
      <p>
        It goes to all who follow {channel ?? 'your first channel, which is made with it'}, and those who
        place orders buy at once.
      </p>
    </FormDialog>
  );
}
