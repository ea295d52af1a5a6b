import { connectExchange, disconnectExchange } from '../../../../operations/exchanges/connect-exchange.js';
import { listExchanges, type ExchangesOutput } from '../../../../operations/exchanges/list-exchanges.js';
import { getBalances } from '../../../../operations/portfolio/get-balances.js';
import { paperName } from '../../../../../storage/exchanges/exchange-names.js';
import { html, type Html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import type { FormField } from '../../form-field.js';
import { confirmForm, formMarkup } from '../../form-markup.js';
import { definePageForm, type PageRequest } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountButton, accountPage } from './account-view.js';

/** What is secret is entered as a password, so that it is never sent back to the browser. */
const connectFields: readonly FormField[] = [
  { name: 'exchange', label: 'Exchange', kind: 'select' },
  { name: 'apiKey', label: 'API key', kind: 'password', autocomplete: 'off' },
  {
    name: 'apiSecret',
    label: 'Secret of the key',
    kind: 'password',
    autocomplete: 'off',
    hint: 'It is stored encrypted and never shown.',
  },
  {
    name: 'passphrase',
    label: 'Passphrase, if the exchange uses one',
    kind: 'password',
    autocomplete: 'off',
  },
  {
    name: 'takeover',
    label: 'Execute my signals on this account even if another connection does',
    kind: 'checkbox',
    hint: 'The other connection then stops. Needed only if you are told that there is one.',
  },
];

const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);

const connectForm = definePageForm({
  name: 'connect-exchange',
  operation: connectExchange,
  fields: connectFields,
  input: ({ exchange, apiKey, apiSecret, passphrase, takeover }) => ({
    exchange,
    ...(takeover === 'on' && { takeover: true }),
    apiKey: given(apiKey),
    apiSecret: given(apiSecret),
    passphrase: given(passphrase),
  }),
  done: () => ({ to: '/account/exchanges', notice: 'exchange-connected' }),
});

const paperForm = definePageForm({
  name: 'add-holding',
  operation: connectExchange,
  fields: [
    {
      name: 'holdings.asset',
      label: 'Asset',
      kind: 'text',
      hint: 'Its symbol, such as BTC.',
      fault: 'Enter the symbol of an asset, such as BTC.',
    },
    {
      name: 'holdings.quantity',
      label: 'Quantity',
      kind: 'text',
      hint: 'A decimal number, such as 0.5.',
      fault: 'Enter a decimal number above 0, such as 0.5.',
    },
  ],
  input: (values) => ({
    exchange: paperName,
    holdings: [
      {
        asset: values['holdings.asset']?.trim().toUpperCase(),
        quantity: values['holdings.quantity']?.trim(),
      },
    ],
  }),
  done: () => ({ to: '/account/exchanges', notice: 'holding-added' }),
});

const removeForm = accountButton(
  'remove-exchange',
  disconnectExchange,
  '/account/exchanges',
  'exchange-removed',
  ({ exchange, ending }) => ({ exchange, close: ending === 'close', handover: ending === 'handover' }),
);

/** What becomes of signals that are executed there, where removing it is refused because of them. */
const endings = [
  ['close', 'Close signals and remove it', 'Signals that are executed there are closed at market first.'],
  [
    'handover',
    'Remove it and go on by myself',
    'Signals that are executed there end without an order: watch what is held, and the orders that stand there, by yourself.',
  ],
] as const;

type Connected = ExchangesOutput['exchanges'][number];

/** What a key may do, in words. */
const permissions = ({ permissions: { read, trade, withdraw } }: Connected): string =>
  Object.entries({ read, trade, withdraw })
    .map(([what, may]) => `${may ? 'may' : 'may not'} ${what}`)
    .join(', ');

const connectedRow = (request: PageRequest, connected: Connected) => {
  const { exchange, connectedAt, syncedAt, fault } = connected;
  return [
    exchange,
    permissions(connected),
    shownTime(connectedAt),
    html`${shownTime(syncedAt, 'not yet')}${fault === null ? '' : html`<p class="fault">${fault}</p>`}`,
    html`${confirmForm(removeForm, request, {
      open: 'Remove',
      label: `Remove ${exchange}`,
      ask: `The key of ${exchange} and what was read with it are deleted, and subscriptions on it are paused. Orders that stand at the exchange stay there.`,
      submit: 'Remove it',
      hidden: { exchange },
    })}
    ${
      request.refused?.form === removeForm.name
        ? endings.map(([ending, submit, ask]) =>
            confirmForm(removeForm, request, { open: submit, ask, submit, hidden: { exchange, ending } }),
          )
        : ''
    }`,
  ];
};

const connections = (request: PageRequest, { exchanges }: ExchangesOutput): Html =>
  dataTable({
    caption: 'Exchanges that are connected by a key',
    titles: ['Exchange', 'The key', 'Connected', 'Read', 'Remove'],
    rows: exchanges.filter(({ kind }) => kind === 'key').map((each) => connectedRow(request, each)),
    empty: 'No exchange is connected by a key.',
    hasActions: true,
  });

function connectMarkup(request: PageRequest, { exchanges, available }: ExchangesOutput): Html {
  const free = available.filter((name) => !exchanges.some(({ exchange }) => exchange === name));
  if (free.length === 0)
    return html`<p class="quiet">All exchanges that this service knows are connected.</p>`;
  const choices = free.map((name) => [name, name] as const);
  const fields = connectFields.map((field) => (field.kind === 'select' ? { ...field, choices } : field));
  return html`<p>
      Use a key that may read, and trade if signals are to be executed. A key that may withdraw is refused.
      The key is tried at the exchange before it is stored.
    </p>
    ${formMarkup({ ...connectForm, fields }, request, { submit: 'Connect', heading: 'The exchange was not connected' })}`;
}

async function paperHoldings(request: PageRequest): Promise<Html> {
  const { balances } = await request.run(getBalances, { exchange: paperName, minValue: 0 });
  return dataTable({
    caption: 'What the paper account holds',
    titles: ['Asset', 'Account', 'Quantity', 'Value'],
    rows: balances.map(({ asset, account, total, value }) => [
      asset,
      account,
      total,
      value === null ? 'no price' : `${value.toFixed(2)} USDT`,
    ]),
    empty: 'The paper account is empty.',
  });
}

/** Connected exchanges and the paper account. */
export const exchangesPage = accountPage({
  path: '/account/exchanges',
  title: 'Exchanges',
  forms: [connectForm, paperForm, removeForm],
  async body(request) {
    const found = await request.run(listExchanges);
    return html`${connections(request, found)}
      <h2>Connect an exchange</h2>
      ${connectMarkup(request, found)}
      <h2>Paper account</h2>
      <p>A simulated account that signals can trade on. Nothing in it is real.</p>
      ${await paperHoldings(request)}
      <h3>Add a holding</h3>
      ${formMarkup(paperForm, request, { submit: 'Add to the paper account', heading: 'Nothing was added' })}`;
  },
});
