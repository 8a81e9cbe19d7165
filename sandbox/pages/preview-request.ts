import type { Context } from 'hono';

/** Programs that draw a small preview of an address that was written in a chat, a post or a mail. */
const PREVIEW_BOTS =
  /bot\/|facebookexternalhit|facebot|whatsapp|slack|skypeuripreview|microsoft(preview| teams)|msteams|bingpreview|discord|telegram|viber|embedly|iframely|pinterest|mastodon|snap url preview|google-pagerenderer|vkshare|line-poker/i;

/** Whether a page is asked for ahead of time: the answer may never be in front of anyone. */
export function isPrefetch(context: Context): boolean {
  const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map(
    (name) => context.req.header(name) ?? '',
  );
  return purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose));
}

/** Whether no person opens a page with this request: then nobody has visited, seen or read anything. */
export function isAutomatedRequest(context: Context): boolean {
  return (
    context.req.method === 'HEAD' ||
    isPrefetch(context) ||
    PREVIEW_BOTS.test(context.req.header('user-agent') ?? '')
  );
}
