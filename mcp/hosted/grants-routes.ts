import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { grantsKeyPage, grantsPage } from './pages/grants-page.ts';
import { faultPage, showPage } from './pages/layout.ts';
import { readText } from './read-text.ts';
import { showWait } from './sign-in.ts';
import { getBrowserId, isOwnForm, type RateLimit } from './visitor.ts';
import type { HostedWorld } from './world.ts';

const Visit = z.object({ key: z.string(), browser: z.string() });
const SESSION_TTL_MS = 15 * 60_000;

/** `/grants`: whoever holds a key sees the apps that signed in with it, and ends them. */
export function grantsRoutes(
  app: Hono,
  { issuer, seals, grants }: HostedWorld,
  options: { getAddress: (context: Context) => string; keys: RateLimit },
): void {
  async function showGrants(context: Context, visit: z.infer<typeof Visit>, ended = false) {
    const notes = await grants.list(visit.key);
    return showPage(
      context,
      grantsPage({ notes, visit: await seals.seal('visit', visit, SESSION_TTL_MS), ended }),
    );
  }

  app.get('/grants', (context) => {
    getBrowserId(context, issuer);
    return showPage(context, grantsKeyPage());
  });

  app.post('/grants', async (context) => {
    const data = new URLSearchParams(await readText(context));
    const browser = getBrowserId(context, issuer);
    if (!isOwnForm(context.req.raw, issuer)) {
      const message = 'The form came from another page.';
      return showPage(
        context,
        faultPage({ title: 'This form can’t be taken', message, next: 'Open /grants here.' }),
        403,
      );
    }
    const sealed = data.get('visit');
    if (sealed === null) {
      const wait = options.keys.take(options.getAddress(context));
      if (wait !== undefined) return showWait(context, wait);
      return showGrants(context, { key: (data.get('api_key') ?? '').trim(), browser });
    }
    const visit = Visit.safeParse(await seals.open('visit', sealed));
    if (!visit.success || visit.data.browser !== browser)
      return showPage(
        context,
        grantsKeyPage({ problem: 'The page was open for too long: give the key again.' }),
        403,
      );
    const notes = await grants.list(visit.data.key);
    // Only what belongs to the key: an id alone ends nothing.
    const own = notes.find(({ id }) => id === data.get('end'));
    if (own) await grants.end(own.id);
    return showGrants(context, visit.data, own !== undefined);
  });
}
