import { type Context, Hono } from 'hono';
import { computeKeyFingerprint } from '../account/account.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { getBrowserId, isSameOriginForm } from './browser-session.ts';
import type { ConfirmationRequest, ConfirmationRequests } from './confirmation-requests.ts';
import { CROSS_SITE_PAGE } from './form-parts.ts';
import { sendPage } from './layout.ts';
import { readFormBody } from './read-form-body.ts';
import {
  renderConfirmationPage,
  renderConfirmKeyPage,
  renderDecisionPage,
  renderRequestExpiredPage,
} from './render-confirmation-page.ts';
import {
  createFormToken,
  getVerifiedAccounts,
  isValidFormToken,
  type PageSession,
  rememberVerifiedAccount,
} from './verified-accounts.ts';

/** Counts a key that was entered, and returns the seconds to wait if this network tried too many. */
export type CountKeyAttempt = (context: Context) => Promise<number | undefined>;

export interface ConfirmationRoutesOptions {
  readonly state: StateProvider;
  readonly confirmationRequests: ConfirmationRequests;
  /** Base URL of the service whose keys people enter. */
  readonly baseUrl: string | undefined;
  /** Public URL of this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly isRevoked: (grant: string, account: string) => Promise<boolean>;
  /**
   * A stranger can't lock the link for others. Undefined if only the person who may decide was shown the URL (local), so
   * that no key is needed.
   */
  readonly countKeyAttempt?: CountKeyAttempt;
}

/**
 * Creates the page of a confirmation request, at `/:token`. Reading it changes nothing, because chats and
 * browsers prefetch links. A decision needs the browser that signed in, or one in which the key was entered,
 * and this page's own form; the first decision counts.
 */
export function createConfirmationRoutes(deps: ConfirmationRoutesOptions): Hono {
  const { confirmationRequests, publicUrl } = deps;
  const app = new Hono();
  app.get('/:token', (context) => withRequest(context, showRequest));
  app.post('/:token', (context) =>
    isSameOriginForm(context.req.raw, publicUrl)
      ? withRequest(context, submitDecision)
      : sendPage(context, CROSS_SITE_PAGE, 403),
  );
  return app;

  type PageContext = {
    readonly token: string;
    readonly confirmationRequest: ConfirmationRequest;
    readonly session: PageSession;
    /** True if this browser signed in, or its user has entered the key here. */
    readonly isVerified: boolean;
    /** Token of the page's own form. */
    readonly formToken: string;
  };

  async function withRequest(
    context: Context,
    handle: (context: Context, pageContext: PageContext) => Promise<Response>,
  ): Promise<Response> {
    const token = context.req.param('token') ?? '';
    const confirmationRequest = await confirmationRequests.find(token);
    if (!confirmationRequest || (await deps.isRevoked(confirmationRequest.grant, confirmationRequest.account)))
      return sendPage(context, renderRequestExpiredPage(), 404);
    const { secret } = await deps.state();
    // A local page needs no cookie: two pages that open at once would replace each other's.
    const browser = deps.countKeyAttempt ? getBrowserId(context, publicUrl) : '';
    const session = { secret, publicUrl, browser };
    const isVerified =
      !deps.countKeyAttempt ||
      browser === confirmationRequest.browser ||
      (await getVerifiedAccounts(context, session)).includes(confirmationRequest.account);
    const formToken = createFormToken(session, token);
    return handle(context, { token, confirmationRequest, session, isVerified, formToken });
  }

  async function showRequest(context: Context, pageContext: PageContext): Promise<Response> {
    const { confirmationRequest, isVerified, formToken } = pageContext;
    if (!confirmationRequest.decision)
      return sendPage(
        context,
        isVerified ? renderConfirmationPage(confirmationRequest, formToken) : renderConfirmKeyPage(confirmationRequest),
      );
    const mayWithdraw = isVerified && confirmationRequest.isWithdrawable;
    return sendPage(context, renderDecisionPage(confirmationRequest, mayWithdraw ? formToken : undefined));
  }

  async function submitDecision(context: Context, pageContext: PageContext): Promise<Response> {
    const { token, confirmationRequest, session, isVerified, formToken } = pageContext;
    const data = new URLSearchParams(await readFormBody(context));
    const [key, choice, form] = [data.get('api_key'), data.get('decision'), data.get('form')];
    const redirectBack = () => context.redirect(`${publicUrl}${new URL(context.req.url).pathname}`, 303);
    if (key !== null) {
      const problem = await checkKey(context, key, pageContext);
      if (problem !== undefined) return sendPage(context, renderConfirmKeyPage(confirmationRequest, problem), 403);
      await rememberVerifiedAccount(context, confirmationRequest.account, session);
      return redirectBack();
    }
    if (!isVerified) {
      const problem = 'Nothing was done. Enter your key first.';
      return sendPage(context, renderConfirmKeyPage(confirmationRequest, problem), 403);
    }
    const isForm = isValidFormToken(form, formToken);
    if (isForm && choice === 'reconsider') {
      await confirmationRequests.withdrawDecline(token);
      return redirectBack();
    }
    if (!isForm || (choice !== 'approve' && choice !== 'deny'))
      return sendPage(context, renderConfirmationPage(confirmationRequest, formToken), 403);
    await confirmationRequests.recordDecision(token, choice === 'approve' ? 'accepted' : 'declined');
    return redirectBack();
  }

  /** Returns why a key is rejected, or undefined if it is the one that the app uses. */
  async function checkKey(
    context: Context,
    key: string,
    { confirmationRequest, session }: PageContext,
  ): Promise<string | undefined> {
    const wait = await deps.countKeyAttempt?.(context);
    if (wait !== undefined) return `Too many attempts. Wait ${wait} seconds, then try again.`;
    const keyFingerprint = computeKeyFingerprint(session.secret, { baseUrl: deps.baseUrl, apiKey: key.trim() });
    return keyFingerprint === confirmationRequest.account ? undefined : 'This is not the key that the app uses.';
  }
}
