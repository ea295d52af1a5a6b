import { field } from '../../../compute/model/field.js';
import { version } from '../../../storage/process/version.js';
import { plans } from '../../../storage/users/users.js';
import { describedOperation } from '../analysis/described-operation.js';

const output = {
  user: field.nullable(
    field.object('who is signed in; null: nobody', {
      email: field.text('e-mail of the account'),
      plan: field.choice('plan', plans),
      isVerified: field.flag('whether the e-mail is known to be yours'),
      isOperator: field.flag('whether this session may see and control the cluster'),
    }),
  ),
  partner: field.nullable(
    field.object('the partner that the user acts for; null: none', { name: field.text('its name') }),
  ),
  csrf: field.nullable(
    field.text(
      'what the header csrf-token holds in each request but GET and HEAD; null unless the cookie of the pages has signed the browser in',
    ),
  ),
  service: field.object('the service', {
    market: field.text('where prices come from; demo: a made-up market'),
    liveTrading: field.flag('whether orders are placed on real exchanges'),
    signUp: field.flag('whether accounts can be made here'),
    version: field.text('version'),
  }),
};

/** Who uses this browser, and what it needs to write. */
export const getSession = describedOperation({
  id: 'get-session',
  summary:
    'Who is signed in here, for which partner they act, what a browser sends to write, and what this service offers.',
  cost: 0,
  isLight: true,
  input: {},
  output,
  async handle(_input, { settings, storage }, { user, csrf = null }) {
    const partner = user && (await storage.partners.ofMember(user.userId));
    return {
      payload: {
        user: user && {
          email: user.email,
          plan: user.plan,
          isVerified: user.isVerified,
          isOperator: user.operator,
        },
        partner: partner && { name: partner.name },
        csrf,
        service: {
          market: settings.MARKET,
          liveTrading: settings.LIVE_TRADING === 'on',
          signUp: settings.SIGN_UP === 'on',
          version,
        },
      },
    };
  },
});
