import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { getBrowserId, isSameOriginForm } from '../pages/browser-session.ts';
import type { CountKeyAttempt } from '../pages/confirmation-routes.ts';
import { CROSS_SITE_PAGE } from '../pages/form-parts.ts';
import { sendPage } from '../pages/layout.ts';
import { readFormBody } from '../pages/read-form-body.ts';
import type { HostedContext } from './hosted-context.ts';
import { checkKey } from './oauth/check-key.ts';
import { renderGrantsKeyPage, renderGrantsPage } from './pages/grants-page.ts';
import { sendRetryLater } from './sign-in-routes.ts';

const GrantsSession = z.object({ key: z.string(), browser: z.string() });
const SESSION_TTL_MS = 15 * 60_000;

/** Adds `/grants`, where the holder of a key sees and revokes the apps that signed in with it. */
export function addGrantsRoutes(
  app: Hono,
  { issuer, claimsEncryptor, grants, accounts, scopeCatalog }: HostedContext,
  countKeyAttempt: CountKeyAttempt,
): void {
  async function showGrants(context: Context, session: z.infer<typeof GrantsSession>, isRevoked = false) {
    const page = renderGrantsPage({
      grants: await grants.list(session.key),
      session: await claimsEncryptor.encrypt('visit', session, SESSION_TTL_MS),
      isRevoked,
    });
    return sendPage(context, page);
  }

  app.get('/grants', (context) => {
    getBrowserId(context, issuer);
    return sendPage(context, renderGrantsKeyPage());
  });

  app.post('/grants', async (context) => {
    const data = new URLSearchParams(await readFormBody(context));
    const browser = getBrowserId(context, issuer);
    if (!isSameOriginForm(context.req.raw, issuer)) return sendPage(context, CROSS_SITE_PAGE, 403);
    const sealed = data.get('visit');
    if (sealed === null) {
      const wait = await countKeyAttempt(context);
      if (wait !== undefined) return sendRetryLater(context, wait);
      const key = (data.get('api_key') ?? '').trim();
      // An app that signed in with the key proves it; a mistyped key must not look like a key without apps.
      if ((await grants.list(key)).length === 0) {
        const keyCheck = await checkKey(accounts.get(key), scopeCatalog.scopes);
        if (!keyCheck.isValid) return sendPage(context, renderGrantsKeyPage({ problem: keyCheck.message }), 422);
      }
      return showGrants(context, { key, browser });
    }
    const session = GrantsSession.safeParse(await claimsEncryptor.decrypt('visit', sealed));
    if (!session.success || session.data.browser !== browser)
      return sendPage(context, renderGrantsKeyPage({ problem: 'This page has expired. Enter your key again.' }), 403);
    const summaries = await grants.list(session.data.key);
    // Only grants of this key: knowing an id is not enough to revoke it.
    const ownGrant = summaries.find(({ id }) => id === data.get('end'));
    if (ownGrant) await grants.revoke(ownGrant.id);
    return showGrants(context, session.data, ownGrant !== undefined);
  });
}
