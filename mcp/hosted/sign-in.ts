import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { SCOPES } from '../../src/scopes.ts';
import { Asked, readAuthorization } from './oauth/authorization.ts';
import { checkKey } from './oauth/check-key.ts';
import { clientHash, type OAuthClient } from './oauth/clients.ts';
import { grantedBy, scopesIn } from './oauth/narrowing.ts';
import { OAuthFault } from './oauth/oauth-fault.ts';
import { answerAt, isOwnRedirect } from './oauth/redirects.ts';
import type { Grant } from './oauth/tokens.ts';
import {
  choicePage,
  confirmModes,
  keyPage,
  placeWords,
  refusedPage,
  returnPage,
} from './pages/consent-page.ts';
import { faultPage, showPage } from './pages/layout.ts';
import { readText } from './read-text.ts';
import { getBrowserId, isOwnForm, type RateLimit } from './visitor.ts';
import type { HostedWorld } from './world.ts';

const Form = z.object({
  asked: Asked,
  browser: z.string(),
  /** From the second page on. */
  key: z.string().optional(),
  refused: z.array(z.enum(SCOPES)).optional(),
});
type Form = z.infer<typeof Form>;

/** It travels in tokens, and these in headers. */
const KEY_LIMIT = 2048;
const FORM_TTL_MS = 60 * 60_000;
const AGAIN = 'Close this page and start again in the app where you came from.';

/** `/authorize`: who asks, a key, what the key can do, how much of it the app may; then back. */
export function signInRoutes(
  app: Hono,
  world: HostedWorld,
  options: { getAddress: (context: Context) => string; asks: RateLimit; keys: RateLimit },
): void {
  const { issuer, resource, offers, seals, clients, codes, grants, parts } = world;
  const host = new URL(issuer).host;
  const { confirm: least } = parts.command;

  async function createConsentRequest(form: Form, client: OAuthClient) {
    const { redirect, state } = form.asked;
    const cancel = answerAt(redirect, { error: 'access_denied', state, iss: issuer });
    return { client, redirect, cancel, form: await seals.seal('form', form, FORM_TTL_MS) };
  }

  const askedScopes = ({ scope }: Asked) => {
    const named = scopesIn(scope, offers.scopes);
    return named.length > 0 ? named : offers.scopes;
  };

  async function showKeyPage(context: Context, given: { form: Form; client: OAuthClient; problem?: string }) {
    const { form, client, problem } = given;
    const { asked, browser } = form;
    const page = keyPage(await createConsentRequest({ asked, browser }, client), {
      host,
      problem,
      sandboxKey: parts.sandboxKey,
    });
    return showPage(context, page, problem === undefined ? 200 : 422);
  }

  async function showChoicePage(
    context: Context,
    given: { form: Form; client: OAuthClient; problem?: string },
  ) {
    const { form, client, problem } = given;
    const asked = askedScopes(form.asked);
    const { refused = [] } = form;
    const canWrite = offers.groups.some(({ writes }) => writes.some((scope) => asked.includes(scope)));
    const { groups } = offers;
    const page = choicePage(await createConsentRequest(form, client), {
      groups,
      asked,
      refused,
      canWrite,
      confirm: least,
      problem,
    });
    return showPage(context, page, problem === undefined ? 200 : 422);
  }

  async function takeKey(context: Context, given: { form: Form; client: OAuthClient; key: string }) {
    const { form, client } = given;
    const key = given.key.trim();
    const wait = options.keys.take(options.getAddress(context));
    if (wait !== undefined) return showWait(context, wait);
    if (key.length > KEY_LIMIT)
      return showKeyPage(context, { form, client, problem: 'This is too long for a key: copy it again.' });
    const account = parts.accounts.get(key);
    const report = await checkKey(account, offers.scopes);
    if (!report.works) return showKeyPage(context, { form, client, problem: report.message });
    await grants.accept(key);
    return showChoicePage(context, { form: { ...form, key, refused: [...report.refused] }, client });
  }

  async function allow(
    context: Context,
    given: { form: Form & { key: string }; client: OAuthClient; data: URLSearchParams },
  ) {
    const { form, client, data } = given;
    const { asked, browser, key, refused = [] } = form;
    const wanted = askedScopes(asked);
    const readOnly = data.get('changes') !== 'yes';
    const ticks = { groups: data.getAll('group'), readOnly };
    const scopes = grantedBy(ticks, { offers, asked: wanted, refused });
    if (scopes.length === 0)
      return showChoicePage(context, { form, client, problem: 'Tick one line at least, or cancel.' });
    const modes = confirmModes(least);
    const grant: Grant = {
      id: grants.create(),
      key,
      client: clientHash(client.id),
      name: client.name,
      place: placeWords(asked.redirect),
      scopes: [...scopes],
      declined: wanted.filter((scope) => !scopes.includes(scope)),
      readOnly,
      confirm: modes.find((mode) => mode === data.get('confirm')) ?? modes[0] ?? least,
      browser,
      since: world.now(),
    };
    const { challenge, redirect, state } = asked;
    const code = await codes.mint({ grant, challenge, redirect });
    parts.log.info('signed_in', { client: client.name, place: grant.place, scopes: scopes.join(' ') });
    return showPage(
      context,
      returnPage({ client, backTo: answerAt(redirect, { code, state, iss: issuer }) }),
    );
  }

  app.get('/authorize', async (context) => {
    const wait = options.asks.take(options.getAddress(context));
    if (wait !== undefined) return showWait(context, wait);
    const query = new URL(context.req.url).searchParams;
    try {
      const request = await readAuthorization(query, { clients, resource, issuer, scopes: offers.scopes });
      const { client } = request;
      if ('fault' in request)
        return showPage(context, refusedPage({ ...request, message: request.fault.message }), 400);
      return showKeyPage(context, {
        form: { asked: request.asked, browser: getBrowserId(context, issuer) },
        client,
      });
    } catch (fault) {
      if (!(fault instanceof OAuthFault)) throw fault;
      const next = 'Nothing was sent anywhere. Remove this server in the app and add it again.';
      return showPage(
        context,
        faultPage({ title: 'It is not sure who asks', message: fault.message, next }),
        400,
      );
    }
  });

  app.post('/authorize', async (context) => {
    const data = new URLSearchParams(await readText(context));
    const opened = Form.safeParse(await seals.open('form', data.get('form') ?? ''));
    if (
      !isOwnForm(context.req.raw, issuer) ||
      !opened.success ||
      opened.data.browser !== getBrowserId(context, issuer)
    ) {
      const message =
        'The form is older than an hour, or came from another page or browser. Cookies of this site must be allowed.';
      return showPage(context, faultPage({ title: 'This form can’t be taken', message, next: AGAIN }), 403);
    }
    const form = opened.data;
    try {
      const client = await clients.find(form.asked.client);
      if (!isOwnRedirect(form.asked.redirect, client.redirects))
        throw new OAuthFault(
          'invalid_request',
          'The app no longer has the address where it wanted the answer.',
        );
      const { key } = form;
      if (key === undefined) return takeKey(context, { form, client, key: data.get('api_key') ?? '' });
      if (data.get('decision') !== 'allow') return showKeyPage(context, { form, client });
      return allow(context, { form: { ...form, key }, client, data });
    } catch (fault) {
      if (!(fault instanceof OAuthFault)) throw fault;
      return showPage(
        context,
        faultPage({ title: 'It is not sure who asks', message: fault.message, next: AGAIN }),
        400,
      );
    }
  });
}

export function showWait(context: Context, seconds: number): Promise<Response> {
  context.header('retry-after', String(seconds));
  const message = `Too many tries came from your address. Wait ${seconds} s and load this page again.`;
  return showPage(context, faultPage({ title: 'One moment', message, next: '' }), 429);
}
