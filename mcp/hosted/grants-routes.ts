import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { getBrowserId, type IpRateLimiter, isSameOriginForm } from './browser-session.ts';
import type { HostedContext } from './hosted-context.ts';
import { grantsKeyPage, grantsPage } from './pages/grants-page.ts';
import { errorPage, showPage } from './pages/layout.ts';
import { readFormBody } from './read-form-body.ts';
import { showRetryLater } from './sign-in-routes.ts';

const GrantsSession = z.object({ key: z.string(), browser: z.string() });
const SESSION_TTL_MS = 15 * 60_000;

/** `/grants`: whoever holds a key sees the apps that signed in with it, and ends them. */
export function grantsRoutes(
  app: Hono,
  { issuer, claimsEncryptor, grants }: HostedContext,
  options: { getAddress: (context: Context) => string; keyLimiter: IpRateLimiter },
): void {
  async function showGrants(context: Context, session: z.infer<typeof GrantsSession>, isRevoked = false) {
    const summaries = await grants.list(session.key);
    return showPage(
      context,
      grantsPage({
        grants: summaries,
        session: await claimsEncryptor.encrypt('visit', session, SESSION_TTL_MS),
        isRevoked,
      }),
    );
  }

  app.get('/grants', (context) => {
    getBrowserId(context, issuer);
    return showPage(context, grantsKeyPage());
  });

  app.post('/grants', async (context) => {
    const data = new URLSearchParams(await readFormBody(context));
    const browser = getBrowserId(context, issuer);
    if (!isSameOriginForm(context.req.raw, issuer)) {
      const message = 'The form came from another page.';
      return showPage(
        context,
        errorPage({ title: 'This form can’t be taken', message, next: 'Open /grants here.' }),
        403,
      );
    }
    const sealed = data.get('visit');
    if (sealed === null) {
      const wait = options.keyLimiter.take(options.getAddress(context));
      if (wait !== undefined) return showRetryLater(context, wait);
      return showGrants(context, { key: (data.get('api_key') ?? '').trim(), browser });
    }
    const session = GrantsSession.safeParse(await claimsEncryptor.decrypt('visit', sealed));
    if (!session.success || session.data.browser !== browser)
      return showPage(
        context,
        grantsKeyPage({ problem: 'The page was open for too long: give the key again.' }),
        403,
      );
    const summaries = await grants.list(session.data.key);
    // Only what belongs to the key: an id alone ends nothing.
    const ownGrant = summaries.find(({ id }) => id === data.get('end'));
    if (ownGrant) await grants.revoke(ownGrant.id);
    return showGrants(context, session.data, ownGrant !== undefined);
  });
}
