import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { SCOPES } from '../../src/scopes.ts';
import { getBrowserId, isSameOriginForm } from '../pages/browser-session.ts';
import { errorPage, showPage } from '../pages/layout.ts';
import { readFormBody } from '../pages/read-form-body.ts';
import type { HostedContext } from './hosted-context.ts';
import type { IpRateLimiter, SharedIpRateLimiter } from './http/ip-rate-limiter.ts';
import { FORM_TTL_MS } from './oauth/authorization-codes.ts';
import { AuthorizationRequest, parseAuthorizationRequest } from './oauth/authorization-request.ts';
import { checkKey } from './oauth/check-key.ts';
import { hashClientId, type OAuthClient } from './oauth/oauth-clients.ts';
import { OAuthRequestError, RETRY_AFTER_S } from './oauth/oauth-request-error.ts';
import { buildRedirectUrl, isRegisteredRedirect } from './oauth/redirect-uri.ts';
import { getGrantedScopes, parseScopes } from './oauth/scope-selection.ts';
import type { Grant } from './oauth/tokens.ts';
import {
  confirmModes,
  consentPage,
  describeRedirectTarget,
  signedInPage,
  signInFailedPage,
  signInPage,
} from './pages/consent-page.ts';

const SignInForm = z.object({
  authorization: AuthorizationRequest,
  browser: z.string(),
  /** Set from the second page on. */
  key: z.string().optional(),
  deniedScopes: z.array(z.enum(SCOPES)).optional(),
});
type SignInForm = z.infer<typeof SignInForm>;
type PageInput = { readonly form: SignInForm; readonly client: OAuthClient; readonly problem?: string };

/** Keys travel in tokens, and tokens in headers. */
const MAX_KEY_LENGTH = 2048;
const RETRY_HINT = 'Close this page and start the sign-in again from your app.';

/**
 * Adds `/authorize`: shows which app asks, takes a key, lets the person narrow what the app can do, and redirects back.
 */
export function signInRoutes(
  app: Hono,
  hostedContext: HostedContext,
  options: { getAddress: (context: Context) => string; requestLimiter: IpRateLimiter; keyLimiter: SharedIpRateLimiter },
): void {
  const { issuer, resource, scopeCatalog, claimsEncryptor, clients, codes, grants, dependencies } = hostedContext;
  const host = new URL(issuer).host;
  const { confirm: minConfirm } = dependencies.command;

  async function createConsentRequest(form: SignInForm, client: OAuthClient) {
    const { redirect, state } = form.authorization;
    const cancel = buildRedirectUrl(redirect, { error: 'access_denied', state, iss: issuer });
    return { client, redirect, cancel, form: await claimsEncryptor.encrypt('form', form, FORM_TTL_MS) };
  }

  const getRequestedScopes = ({ scope }: AuthorizationRequest) => {
    const named = parseScopes(scope, scopeCatalog.scopes);
    return named.length > 0 ? named : scopeCatalog.scopes;
  };

  async function showKeyPage(context: Context, input: PageInput) {
    const { form, client, problem } = input;
    const { authorization, browser } = form;
    const page = signInPage(await createConsentRequest({ authorization, browser }, client), {
      host,
      problem,
      sandboxKey: dependencies.sandboxKey,
    });
    return showPage(context, page, problem === undefined ? 200 : 422);
  }

  async function showConsentPage(context: Context, input: PageInput) {
    const { form, client, problem } = input;
    const requestedScopes = getRequestedScopes(form.authorization);
    const { deniedScopes = [] } = form;
    const canWrite = scopeCatalog.groups.some(({ writes }) => writes.some((scope) => requestedScopes.includes(scope)));
    const page = consentPage(await createConsentRequest(form, client), {
      groups: scopeCatalog.groups,
      requestedScopes,
      deniedScopes,
      canWrite,
      confirm: minConfirm,
      keyEnding: form.key?.slice(-4) ?? '',
      workspace: dependencies.baseUrl === undefined ? undefined : new URL(dependencies.baseUrl).host,
      problem,
    });
    return showPage(context, page, problem === undefined ? 200 : 422);
  }

  async function submitKey(context: Context, input: { form: SignInForm; client: OAuthClient; key: string }) {
    const { form, client } = input;
    const key = input.key.trim();
    const wait = await options.keyLimiter.take(options.getAddress(context));
    if (wait !== undefined) return showRetryLater(context, wait);
    if (key.length > MAX_KEY_LENGTH)
      return showKeyPage(context, { form, client, problem: 'This is too long for an API key. Copy it again.' });
    const account = dependencies.accounts.get(key);
    const keyCheck = await checkKey(account, scopeCatalog.scopes);
    if (!keyCheck.isValid) return showKeyPage(context, { form, client, problem: keyCheck.message });
    await grants.acceptKey(key);
    return showConsentPage(context, { form: { ...form, key, deniedScopes: [...keyCheck.deniedScopes] }, client });
  }

  async function allow(
    context: Context,
    input: { form: SignInForm & { key: string }; client: OAuthClient; data: URLSearchParams },
  ) {
    const { form, client, data } = input;
    const { authorization, browser, key, deniedScopes = [] } = form;
    const requestedScopes = getRequestedScopes(authorization);
    const readOnly = data.get('changes') !== 'yes';
    const selection = { groups: data.getAll('group'), readOnly };
    const scopes = getGrantedScopes(selection, { scopeCatalog, requestedScopes, deniedScopes });
    if (scopes.length === 0)
      return showConsentPage(context, { form, client, problem: 'Select at least one, or cancel.' });
    const modes = confirmModes(minConfirm);
    const grant: Grant = {
      id: grants.create(),
      key,
      client: hashClientId(client.id),
      name: client.name,
      place: describeRedirectTarget(authorization.redirect),
      scopes: [...scopes],
      declined: requestedScopes.filter((scope) => !scopes.includes(scope)),
      readOnly,
      confirm: modes.find((mode) => mode === data.get('confirm')) ?? modes[0] ?? minConfirm,
      browser,
      since: hostedContext.now(),
    };
    const { challenge, redirect, state } = authorization;
    const code = await codes.issue({ grant, challenge, redirect }, data.get('form') ?? '');
    clients.keep(client.id);
    dependencies.log.info('signed_in', { client: client.name, place: grant.place, scopes: scopes.join(' ') });
    return showPage(
      context,
      signedInPage({ client, returnUrl: buildRedirectUrl(redirect, { code, state, iss: issuer }) }),
    );
  }

  app.get('/authorize', async (context) => {
    const wait = options.requestLimiter.take(options.getAddress(context));
    if (wait !== undefined) return showRetryLater(context, wait);
    const query = new URL(context.req.url).searchParams;
    try {
      const request = await parseAuthorizationRequest(query, {
        clients,
        resource,
        issuer,
        scopes: scopeCatalog.scopes,
        address: options.getAddress(context),
      });
      const { client } = request;
      if ('error' in request)
        return showPage(context, signInFailedPage({ ...request, message: request.error.message }), 400);
      return showKeyPage(context, {
        form: { authorization: request.authorization, browser: getBrowserId(context, issuer) },
        client,
      });
    } catch (error) {
      if (!(error instanceof OAuthRequestError)) throw error;
      const next = 'Remove this server from the app and add it again.';
      return showUnknownApp(context, error, next);
    }
  });

  app.post('/authorize', async (context) => {
    const data = new URLSearchParams(await readFormBody(context));
    const opened = SignInForm.safeParse(await claimsEncryptor.decrypt('form', data.get('form') ?? ''));
    if (
      !isSameOriginForm(context.req.raw, issuer) ||
      !opened.success ||
      opened.data.browser !== getBrowserId(context, issuer)
    ) {
      const message =
        'It was open for more than an hour, or in another browser. This site needs cookies to sign you in.';
      return showPage(context, errorPage({ title: 'This page has expired', message, next: RETRY_HINT }), 403);
    }
    const form = opened.data;
    try {
      const { client: id, redirect } = form.authorization;
      const client = await clients.find(id, { redirect, address: options.getAddress(context) });
      if (!isRegisteredRedirect(redirect, client.redirects))
        throw new OAuthRequestError('invalid_request', 'The app no longer registers this redirect_uri.');
      const { key } = form;
      if (key === undefined) return submitKey(context, { form, client, key: data.get('api_key') ?? '' });
      if (data.get('decision') !== 'allow') return showKeyPage(context, { form, client });
      return allow(context, { form: { ...form, key }, client, data });
    } catch (error) {
      if (!(error instanceof OAuthRequestError)) throw error;
      return showUnknownApp(context, error, RETRY_HINT);
    }
  });
}

/** @param next advice for an app that this server rejects, not for one that it can't look up now. */
function showUnknownApp(context: Context, { status, message }: OAuthRequestError, next: string): Promise<Response> {
  if (status !== 503) {
    const unknown = 'This server does not recognize the app that started the sign-in.';
    const page = errorPage({ title: 'Unknown app', message: unknown, next: html`${next}<br>Details: ${message}` });
    return showPage(context, page, 400);
  }
  context.header('retry-after', String(RETRY_AFTER_S));
  const retryHint = `Reload this page in ${RETRY_AFTER_S} seconds. If it fails again, remove this server from the app and add it again, and show this page to the operator of this server.`;
  return showPage(context, errorPage({ title: 'The app can’t be checked', message, next: retryHint }), 503);
}

export function showRetryLater(context: Context, seconds: number): Promise<Response> {
  context.header('retry-after', String(seconds));
  const message = `Too many attempts from your network. Wait ${seconds} seconds, then reload this page.`;
  return showPage(context, errorPage({ title: 'Too many attempts', message }), 429);
}
