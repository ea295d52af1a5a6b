import { createHash } from 'node:crypto';
import { networkOf } from './client-network.js';
import { normaliseEmail } from './email.js';

/** The keys under which failed sign-ins are counted. They hold a digest of the e-mail, so that Redis holds no addresses. */
export const loginKeys = {
  account: (email: string) => `login:account:${digestOf(email)}`,
  address: (address: string) => `login:address:${networkOf(address)}`,
  both: (email: string, address: string) => `login:both:${digestOf(email)}:${networkOf(address)}`,
};

/** The key under which sign-ups from an address are counted. */
export const signUpKey = (address: string) => `signup:${networkOf(address)}`;

/** The keys under which mails are counted: by recipient and network, so that no stranger uses up what the owner may ask for, and by the network that asks. Those that tell of a change count apart. */
export const mailLimitKeys = {
  recipient: (email: string, address: string) => `mail:to:${digestOf(email)}:${networkOf(address)}`,
  told: (email: string) => `mail:told:${digestOf(email)}`,
  address: (address: string) => `mail:from:${networkOf(address)}`,
};
/** The key under which OAuth clients registered from an address are counted. */
export const registrationKey = (address: string) => `register:${networkOf(address)}`;

const digestOf = (email: string) =>
  createHash('sha256').update(normaliseEmail(email)).digest('base64url').slice(0, 22);
