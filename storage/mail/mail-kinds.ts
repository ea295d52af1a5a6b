const minuteMs = 60_000;

/** The mails that the service sends: to confirm an e-mail, and to choose a new password. */
export const mailKinds = ['verify', 'reset'] as const;

export type MailKind = (typeof mailKinds)[number];

/** How long the link in a mail works after the mail was sent. An unsent mail is given up after the same time. */
export const linkLifetimeMs: Record<MailKind, number> = { verify: 24 * 60 * minuteMs, reset: 60 * minuteMs };

/** The page that the link in a mail leads to. */
export const linkPaths: Record<MailKind, string> = { verify: '/verify', reset: '/reset' };
