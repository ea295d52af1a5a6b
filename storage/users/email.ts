import Joi from 'joi';

/** An e-mail address as it may be given. Its length is looked at before its form. */
export const emailAddress = Joi.string()
  .max(254)
  .email({ tlds: false })
  .pattern(/^\P{Surrogate}*$/u, 'well-formed text');

/** E-mail addresses are compared without regard to case, and to how a keyboard puts an accent on a letter. */
export const normaliseEmail = (email: string) => email.toLowerCase().normalize('NFC');
