import { emailAddress } from '../users/email.js';

/** Who mails are from. The name may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** Parses MAIL_FROM: an address, or a name followed by one in angle brackets. Throws a RangeError. */
export function readMailSender(text: string): MailAddress {
  const [, name = '', address] = /^(?:([^<>"\p{Cc}]*)<)?([^<>\s]+)>?$/u.exec(text) ?? [];
  const isWhole = text === address || text === `${name}<${address}>`;
  if (address === undefined || !isWhole || emailAddress.validate(address).error)
    throw new RangeError(
      'expected an address, or a name with an address as in Tidemark <no-reply@example.com>',
    );
  return { name: name.trim(), address };
}
