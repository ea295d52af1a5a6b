import type { ParameterizedContext } from 'koa';

/** The mobile platform a client names in its x-client-platform header; its sessions live longer. */
export function platformOf(ctx: ParameterizedContext): { platform?: string } {
  const platform = ctx.get('x-client-platform');
  return platform === 'ios' || platform === 'android' ? { platform } : {};
}
