import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { getBrowserId, isSameOriginForm } from '../pages/browser-session.ts';
import type { CountKeyAttempt } from '../pages/confirmation-routes.ts';
import { renderErrorPage, sendPage } from '../pages/layout.ts';
import { readFormBody } from '../pages/read-form-body.ts';
import type { HostedContext } from './hosted-context.ts';
import type { IpRateLimiter } from './http/ip-rate-limiter.ts';
import { FORM_TTL_MS } from './oauth/authorization-codes.ts';
import { type AuthorizationRequest, parseAuthorizationRequest } from './oauth/authorization-request.ts';
import { checkKey } from './oauth/check-key.ts';
import { hashClientId, type OAuthClient } from './oauth/oauth-clients.ts';
import { OAuthRequestError, RETRY_AFTER_S } from './oauth/oauth-request-error.ts';
import { buildRedirectUrl, isRegisteredRedirect } from './oauth/redirect-uri.ts';
import { getGrantedScopes, parseScopes } from './oauth/scope-selection.ts';
import type { Grant } from './oauth/tokens.ts';
import { type AddWorkspaceProblem, renderAddWorkspacePage } from './pages/add-workspace-page.ts';
import {
  describeRedirectTarget,
  getConfirmModes,
  renderConsentPage,
  renderSignedInPage,
  renderSignInFailedPage,
  renderSignInPage,
  type SignInWorkspace,
} from './pages/consent-page.ts';
import {
  findKeyProblem,
  getDeniedScopes,
  MAX_WORKSPACES,
  parseConsentChoices,
  parseWorkspaceNames,
  SignInForm,
} from './sign-in-form.ts';

type PageInput = { readonly form: SignInForm; readonly client: OAuthClient; readonly problem?: string };

const RETRY_HINT = 'Close this page and start the sign-in again from your app.';

/**
 * Adds `/authorize`: shows which app asks, takes a key, lets the person narrow what the app can do, and redirects back.
 */
export function addSignInRoutes(
  app: Hono,
  hostedContext: HostedContext,
  options: {
    getClientIp: (context: Context) => string;
    requestLimiter: IpRateLimiter;
    countKeyAttempt: CountKeyAttempt;
  },
): void {
  const { getClientIp, requestLimiter, countKeyAttempt } = options;
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
    const page = renderSignInPage(await createConsentRequest({ authorization, browser, workspaces: [] }, client), {
      host,
      problem,
      sandboxKey: dependencies.sandboxKey,
    });
    return sendPage(context, page, problem === undefined ? 200 : 422);
  }

  async function showConsentPage(context: Context, input: PageInput) {
    const { form, client, problem } = input;
    const requestedScopes = getRequestedScopes(form.authorization);
    const canWrite = scopeCatalog.groups.some(({ writes }) => writes.some((scope) => requestedScopes.includes(scope)));
    const page = renderConsentPage(await createConsentRequest(form, client), {
      groups: scopeCatalog.groups,
      requestedScopes,
      deniedScopes: getDeniedScopes(form),
      canWrite,
      confirm: minConfirm,
      workspaces: listWorkspaces(form),
      mayAddWorkspace: form.workspaces.length < MAX_WORKSPACES,
      choices: form.choices,
      serviceHost: dependencies.baseUrl === undefined ? undefined : new URL(dependencies.baseUrl).host,
      problem,
    });
    return sendPage(context, page, problem === undefined ? 200 : 422);
  }

  async function showAddPage(
    context: Context,
    input: Omit<PageInput, 'problem'> & { names: readonly string[]; problem?: AddWorkspaceProblem; status?: 429 },
  ) {
    const { form, client, names, problem, status = 422 } = input;
    const consentRequest = await createConsentRequest(form, client);
    const page = renderAddWorkspacePage(consentRequest, { workspaces: listWorkspaces(form), names, problem });
    return sendPage(context, page, problem === undefined ? 200 : status);
  }

  /** Checks a key with the service. Returns the form with its workspace, or why it can't be used. */
  async function addKey(form: SignInForm, key: string): Promise<{ form: SignInForm } | { message: string }> {
    const message = findKeyProblem(form, key);
    if (message !== undefined) return { message };
    const keyCheck = await checkKey(dependencies.accounts.get(key), scopeCatalog.scopes);
    if (!keyCheck.isValid) return keyCheck;
    await grants.acceptKey(key);
    const workspace = { name: '', apiKey: key, deniedScopes: [...keyCheck.deniedScopes] };
    return { form: { ...form, workspaces: [...form.workspaces, workspace] } };
  }

  async function submitKey(context: Context, input: { form: SignInForm; client: OAuthClient; key: string }) {
    const { form, client } = input;
    const wait = await countKeyAttempt(context);
    if (wait !== undefined) return sendRetryLater(context, wait);
    const added = await addKey(form, input.key.trim());
    if ('message' in added) return showKeyPage(context, { form, client, problem: added.message });
    return showConsentPage(context, { form: added.form, client });
  }

  /** Adds a workspace to those of the form. A problem is shown without losing the names and the earlier keys. */
  async function submitAnotherKey(
    context: Context,
    { form, client, data }: { form: SignInForm; client: OAuthClient; data: URLSearchParams },
  ) {
    const typed = data.getAll('workspace');
    const names = Array.from({ length: form.workspaces.length + 1 }, (_, index) => typed[index] ?? '');
    const page = { form, client, names };
    const parsed = parseWorkspaceNames(names);
    if ('problem' in parsed) return showAddPage(context, { ...page, problem: parsed.problem });
    const wait = await countKeyAttempt(context);
    if (wait !== undefined) {
      context.header('retry-after', String(wait));
      const message = `Too many attempts from your network. Wait ${wait} seconds, then try again.`;
      return showAddPage(context, { ...page, problem: { message }, status: 429 });
    }
    const added = await addKey(form, (data.get('api_key') ?? '').trim());
    if ('message' in added) return showAddPage(context, { ...page, problem: added });
    const workspaces = added.form.workspaces.map((item, index) => ({ ...item, name: parsed.names[index] ?? '' }));
    return showConsentPage(context, { form: { ...added.form, workspaces }, client });
  }

  async function allow(context: Context, { form, client }: { form: SignInForm; client: OAuthClient }, sealed: string) {
    const { authorization, browser, workspaces } = form;
    const requestedScopes = getRequestedScopes(authorization);
    const { choices = { groups: [], readOnly: true, confirm: '' } } = form;
    const deniedScopes = getDeniedScopes(form);
    const scopes = getGrantedScopes(choices, { scopeCatalog, requestedScopes, deniedScopes });
    if (scopes.length === 0)
      return showConsentPage(context, { form, client, problem: 'Select at least one, or cancel.' });
    const modes = getConfirmModes(minConfirm);
    const grant: Grant = {
      id: grants.create(),
      ...(workspaces.length > 1
        ? { workspaces: workspaces.map(({ name, apiKey }) => ({ name, apiKey })) }
        : { key: workspaces[0]?.apiKey }),
      client: hashClientId(client.id),
      name: client.name,
      place: describeRedirectTarget(authorization.redirect),
      scopes: [...scopes],
      declined: requestedScopes.filter((scope) => !scopes.includes(scope)),
      readOnly: choices.readOnly,
      confirm: modes.find((mode) => mode === choices.confirm) ?? modes[0] ?? minConfirm,
      browser,
      since: hostedContext.now(),
    };
    const { challenge, redirect, state } = authorization;
    const code = await codes.issue({ grant, challenge, redirect }, sealed);
    clients.keep(client.id);
    dependencies.log.info('signed_in', { client: client.name, place: grant.place, scopes: scopes.join(' ') });
    return sendPage(
      context,
      renderSignedInPage({ client, returnUrl: buildRedirectUrl(redirect, { code, state, iss: issuer }) }),
    );
  }

  app.get('/authorize', async (context) => {
    const wait = requestLimiter.take(getClientIp(context));
    if (wait !== undefined) return sendRetryLater(context, wait);
    const query = new URL(context.req.url).searchParams;
    try {
      const request = await parseAuthorizationRequest(query, {
        clients,
        resource,
        issuer,
        scopes: scopeCatalog.scopes,
        address: getClientIp(context),
      });
      const { client } = request;
      if ('error' in request)
        return sendPage(context, renderSignInFailedPage({ ...request, message: request.error.message }), 400);
      return showKeyPage(context, {
        form: { authorization: request.authorization, browser: getBrowserId(context, issuer), workspaces: [] },
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
    const sealed = data.get('form') ?? '';
    const opened = SignInForm.safeParse(await claimsEncryptor.decrypt('form', sealed));
    if (
      !isSameOriginForm(context.req.raw, issuer) ||
      !opened.success ||
      opened.data.browser !== getBrowserId(context, issuer)
    ) {
      const message =
        'It was open for more than an hour, or in another browser. This site needs cookies to sign you in.';
      return sendPage(context, renderErrorPage({ title: 'This page has expired', message, next: RETRY_HINT }), 403);
    }
    const form = opened.data;
    try {
      const { client: id, redirect } = form.authorization;
      const client = await clients.find(id, { redirect, address: getClientIp(context) });
      if (!isRegisteredRedirect(redirect, client.redirects))
        throw new OAuthRequestError('invalid_request', 'The app no longer registers this redirect_uri.');
      if (form.workspaces.length === 0) return submitKey(context, { form, client, key: data.get('api_key') ?? '' });
      const chosen = { ...form, choices: parseConsentChoices(data) };
      switch (data.get('decision')) {
        case 'allow':
          return allow(context, { form: chosen, client }, sealed);
        case 'add':
          return showAddPage(context, { form: chosen, client, names: form.workspaces.map(({ name }) => name) });
        case 'add_key':
          return submitAnotherKey(context, { form, client, data });
        case 'back':
          return showConsentPage(context, { form, client });
        default:
          return showKeyPage(context, { form, client });
      }
    } catch (error) {
      if (!(error instanceof OAuthRequestError)) throw error;
      return showUnknownApp(context, error, RETRY_HINT);
    }
  });
}

function listWorkspaces({ workspaces }: SignInForm): readonly SignInWorkspace[] {
  return workspaces.map(({ name, apiKey, deniedScopes }) => ({ name, keyEnding: apiKey.slice(-4), deniedScopes }));
}

/** @param next advice for an app that this server rejects, not for one that it can't look up now. */
function showUnknownApp(context: Context, { status, message }: OAuthRequestError, next: string): Promise<Response> {
  if (status !== 503) {
    const unknown = 'This server does not recognize the app that started the sign-in.';
    const page = renderErrorPage({
      title: 'Unknown app',
      message: unknown,
      next: html`${next}<br>Details: ${message}`,
    });
    return sendPage(context, page, 400);
  }
  context.header('retry-after', String(RETRY_AFTER_S));
  const retryHint = `Reload this page in ${RETRY_AFTER_S} seconds. If it fails again, remove this server from the app and add it again, and show this page to the operator of this server.`;
  return sendPage(context, renderErrorPage({ title: 'The app can’t be checked', message, next: retryHint }), 503);
}

export function sendRetryLater(context: Context, seconds: number): Promise<Response> {
  context.header('retry-after', String(seconds));
  const message = `Too many attempts from your network. Wait ${seconds} seconds, then reload this page.`;
  return sendPage(context, renderErrorPage({ title: 'Too many attempts', message }), 429);
}
