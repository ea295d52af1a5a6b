/**
 * What a token of a user can allow: reading the account, running analyses in their name, asking the assistant, keeping
 * strategies.
 */
export const tokenScopes = ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'] as const;

export type TokenScope = (typeof tokenScopes)[number];
