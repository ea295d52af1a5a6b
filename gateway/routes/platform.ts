import type { ParameterizedContext } from 'koa';

/** The mobile platform in the x-client-platform header, if there is one; mobile sessions last longer. */
export function platformOf(ctx: ParameterizedContext): { platform?: string } {
  const platform = ctx.get('x-client-platform');
  return platform === 'ios' || platform === 'android' ? { platform } : {};
}
