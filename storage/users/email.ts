import Joi from 'joi';

/** A valid e-mail address. The length is checked before the form. */
export const emailAddress = Joi.string()
  .max(254)
  .email({ tlds: false })
  .pattern(/^\P{Surrogate}*$/u, 'well-formed text');

/** The form in which e-mail addresses are compared: lower case, accents in Unicode form NFC. */
export const normaliseEmail = (email: string) => email.toLowerCase().normalize('NFC');
