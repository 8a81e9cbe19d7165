import type { Context } from 'hono';

/** Bots that fetch a link preview for a chat, post or email. */
const PREVIEW_BOTS =
  /bot\/|facebookexternalhit|facebot|whatsapp|slack|skypeuripreview|microsoft(preview| teams)|msteams|bingpreview|discord|telegram|viber|embedly|iframely|pinterest|mastodon|snap url preview|google-pagerenderer|vkshare|line-poker/i;

/** Returns true for a prefetch, whose page nobody may ever see. */
export function isPrefetch(context: Context): boolean {
  const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map((name) => context.req.header(name) ?? '');
  return purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose));
}

/** Returns true if no person opens a page with this request, so that it counts as no visit. */
export function isAutomatedRequest(context: Context): boolean {
  return (
    context.req.method === 'HEAD' || isPrefetch(context) || PREVIEW_BOTS.test(context.req.header('user-agent') ?? '')
  );
}
