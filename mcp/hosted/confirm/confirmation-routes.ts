import { type Context, Hono } from 'hono';
import { computeKeyFingerprint } from '../../account/account.ts';
import type { StateProvider } from '../../state/shared-state.ts';
import { getBrowserId, isSameOriginForm } from '../browser-session.ts';
import { hashUrlToken, ONE_TIME_URL_TTL_MS } from '../one-time-url.ts';
import { type HtmlPage, showPage } from '../pages/layout.ts';
import { readFormBody } from '../read-form-body.ts';
import { acquireSlot } from '../semaphore.ts';
import type { ConfirmationRequest, ConfirmationRequests } from './confirmation-requests.ts';
import {
  confirmKeyPage,
  crossSitePage,
  decisionPage,
  renderConfirmationPage,
  requestExpiredPage,
} from './render-confirmation-page.ts';
import {
  createFormToken,
  getVerifiedAccounts,
  isValidFormToken,
  type PageSession,
  rememberAccount,
} from './verified-accounts.ts';

export interface ConfirmationRoutesOptions {
  readonly state: StateProvider;
  readonly confirmationRequests: ConfirmationRequests;
  /** Of the service whose keys people type. */
  readonly baseUrl: string | undefined;
  /** Where people reach this server, without a slash at its end. */
  readonly publicUrl: string;
  /** Whether a grant has ended: what was asked under it is asked no more. */
  readonly isRevoked: (grant: string, account: string) => Promise<boolean>;
}

/** Tries at one question; keys are long, but a page need not let anybody go on for ever. */
const MAX_KEY_ATTEMPTS = 10;

/**
 * The page of a question, at `/:token`. To look changes nothing: chats and browsers look on their own. An answer takes the
 * browser that signed in, or one whose person types the key; the form of this very page; and it must be the first.
 */
export function createConfirmationRoutes(deps: ConfirmationRoutesOptions): Hono {
  const { confirmationRequests, publicUrl } = deps;
  const app = new Hono();
  app.get('/:token', (context) => withRequest(context, showRequest));
  app.post('/:token', (context) =>
    isSameOriginForm(context.req.raw, publicUrl)
      ? withRequest(context, submitDecision)
      : showPage(context, crossSitePage(), 403),
  );
  return app;

  type PageContext = {
    readonly token: string;
    readonly confirmationRequest: ConfirmationRequest;
    readonly session: PageSession;
  };

  async function withRequest(
    context: Context,
    handle: (context: Context, pageContext: PageContext) => Promise<Response>,
  ): Promise<Response> {
    const token = context.req.param('token') ?? '';
    const confirmationRequest = await confirmationRequests.find(token);
    if (
      !confirmationRequest ||
      (await deps.isRevoked(confirmationRequest.grant, confirmationRequest.account))
    )
      return showPage(context, requestExpiredPage(), 404);
    const { secret } = await deps.state();
    return handle(context, {
      token,
      confirmationRequest,
      session: { secret, publicUrl, browser: getBrowserId(context, publicUrl) },
    });
  }

  async function showRequest(context: Context, pageContext: PageContext): Promise<Response> {
    const { confirmationRequest } = pageContext;
    if (confirmationRequest.decision) return showPage(context, decisionPage(confirmationRequest));
    return showPage(
      context,
      (await isVerifiedBrowser(context, pageContext)) ? renderRequest(pageContext) : confirmKeyPage(),
    );
  }

  async function submitDecision(context: Context, pageContext: PageContext): Promise<Response> {
    const { token, confirmationRequest, session } = pageContext;
    const data = new URLSearchParams(await readFormBody(context));
    const [key, choice, form] = [data.get('api_key'), data.get('decision'), data.get('form')];
    const redirectBack = () => context.redirect(`${publicUrl}${new URL(context.req.url).pathname}`, 303);
    if (key !== null) {
      const problem = await getKeyProblem(key, pageContext);
      if (problem) return showPage(context, confirmKeyPage(problem), 403);
      await rememberAccount(context, confirmationRequest.account, session);
      return redirectBack();
    }
    if (!(await isVerifiedBrowser(context, pageContext)))
      return showPage(context, confirmKeyPage('Nothing was done: give the key first.'), 403);
    const isForm = isValidFormToken(form, createFormToken(session, token));
    if (!isForm || (choice !== 'approve' && choice !== 'deny'))
      return showPage(context, renderRequest(pageContext), 403);
    await confirmationRequests.recordDecision(token, choice === 'approve' ? 'yes' : 'no');
    return redirectBack();
  }

  /** Whether this is the browser that signed in, or its person has typed the key in it. */
  async function isVerifiedBrowser(
    context: Context,
    { confirmationRequest, session }: PageContext,
  ): Promise<boolean> {
    if (session.browser === confirmationRequest.browser) return true;
    return (await getVerifiedAccounts(context, session)).includes(confirmationRequest.account);
  }

  /** Why a key is not taken; undefined where it is the one that the assistant works with. */
  async function getKeyProblem(
    key: string,
    { token, confirmationRequest, session }: PageContext,
  ): Promise<string | undefined> {
    const name = `key ${hashUrlToken(token)}`;
    const until = Date.now() + ONE_TIME_URL_TTL_MS;
    if (!(await acquireSlot(await deps.state(), { name, max: MAX_KEY_ATTEMPTS, until })))
      return 'Too many keys were tried here. Let the assistant ask again.';
    const keyFingerprint = computeKeyFingerprint(session.secret, {
      baseUrl: deps.baseUrl,
      apiKey: key.trim(),
    });
    return keyFingerprint === confirmationRequest.account
      ? undefined
      : 'This is not the key that the assistant works with.';
  }

  function renderRequest({ token, confirmationRequest, session }: PageContext): HtmlPage {
    return renderConfirmationPage(confirmationRequest, createFormToken(session, token));
  }
}
