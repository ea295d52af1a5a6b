const minuteMs = 60_000;

/** The mails whose link does something once: it confirms an e-mail, or lets its reader choose a new password. */
export const linkKinds = ['verify', 'reset'] as const;

export type LinkKind = (typeof linkKinds)[number];

/**
 * All mails that the service sends: those with a link, and notices of a changed password, a sign-up with an e-mail that has an
 * account, a key that an exchange refuses, a liquidation, a contract that is settled, an order that was cancelled by hand or sold too
 * much, a signal that is not served, a connection that another one has displaced, and to operators a channel that is halted.
 */
export const mailKinds = [
  ...linkKinds,
  'changed',
  'known',
  'key',
  'liquidated',
  'settled',
  'cancelled',
  'oversold',
  'unserved',
  'displaced',
  'churn',
] as const;

export type MailKind = (typeof mailKinds)[number];

export const isLinkKind = (kind: MailKind): kind is LinkKind =>
  (linkKinds as readonly MailKind[]).includes(kind);

/** How long the link in a mail works after the mail was sent. */
export const linkLifetimeMs: Record<LinkKind, number> = { verify: 24 * 60 * minuteMs, reset: 60 * minuteMs };

/** When an unsent mail is given up, after it was asked for. */
export const mailLifetimeMs: Record<MailKind, number> = {
  ...linkLifetimeMs,
  changed: 24 * 60 * minuteMs,
  key: 24 * 60 * minuteMs,
  liquidated: 24 * 60 * minuteMs,
  settled: 24 * 60 * minuteMs,
  cancelled: 24 * 60 * minuteMs,
  oversold: 24 * 60 * minuteMs,
  unserved: 24 * 60 * minuteMs,
  displaced: 24 * 60 * minuteMs,
  churn: 24 * 60 * minuteMs,
  known: 60 * minuteMs,
};

/** The page that the link in a mail leads to. */
export const linkPaths: Record<MailKind, string> = {
  verify: '/verify',
  reset: '/reset',
  changed: '/forgot',
  key: '/account/exchanges',
  liquidated: '/account/exchanges',
  settled: '/account/exchanges',
  cancelled: '/account/exchanges',
  oversold: '/account/exchanges',
  unserved: '/account/exchanges',
  displaced: '/account/exchanges',
  churn: '/operator',
  known: '/sign-in',
};
