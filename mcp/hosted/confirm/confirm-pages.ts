import { type Context, Hono } from 'hono';
import { computeKeyFingerprint } from '../../account/account.ts';
import type { OpenState } from '../../state/shared-state.ts';
import { hashOfAddress, ONE_TIME_URL_TTL_MS } from '../one-time.ts';
import { type Page, showPage } from '../pages/layout.ts';
import { readText } from '../read-text.ts';
import { takeSlot } from '../slots.ts';
import { getBrowserId, isOwnForm } from '../visitor.ts';
import { askPage, closedPage, foreignPage, keyPage, saidPage } from './confirm-page.ts';
import { formToken, heldAccounts, isFormToken, rememberAccount, type Visit } from './held-keys.ts';
import type { OpenQuestion, Questions } from './questions.ts';

export interface ConfirmPages {
  readonly state: OpenState;
  readonly questions: Questions;
  /** Of the service whose keys people type. */
  readonly baseUrl: string | undefined;
  /** Where people reach this server, without a slash at its end. */
  readonly publicUrl: string;
  /** Whether a grant has ended: what was asked under it is asked no more. */
  readonly isEnded: (grant: string, account: string) => Promise<boolean>;
}

/** Tries at one question; keys are long, but a page need not let anybody go on for ever. */
const MAX_KEY_ATTEMPTS = 10;

/**
 * The page of a question, at `/:token`. To look changes nothing: chats and browsers look on their own. An answer takes the
 * browser that signed in, or one whose person types the key; the form of this very page; and it must be the first.
 */
export function createConfirmPages(deps: ConfirmPages): Hono {
  const { questions, publicUrl } = deps;
  const app = new Hono();
  app.get('/:token', (context) => answer(context, look));
  app.post('/:token', (context) =>
    isOwnForm(context.req.raw, publicUrl) ? answer(context, act) : showPage(context, foreignPage(), 403),
  );
  return app;

  type Scene = { readonly token: string; readonly question: OpenQuestion; readonly visit: Visit };

  async function answer(
    context: Context,
    handle: (context: Context, scene: Scene) => Promise<Response>,
  ): Promise<Response> {
    const token = context.req.param('token') ?? '';
    const question = await questions.find(token);
    if (!question || (await deps.isEnded(question.grant, question.account)))
      return showPage(context, closedPage(), 404);
    const { secret } = await deps.state();
    return handle(context, {
      token,
      question,
      visit: { secret, publicUrl, browser: getBrowserId(context, publicUrl) },
    });
  }

  async function look(context: Context, scene: Scene): Promise<Response> {
    const { question } = scene;
    if (question.word) return showPage(context, saidPage(question));
    return showPage(context, (await isOwn(context, scene)) ? asked(scene) : keyPage());
  }

  async function act(context: Context, scene: Scene): Promise<Response> {
    const { token, question, visit } = scene;
    const data = new URLSearchParams(await readText(context));
    const [key, word, form] = [data.get('api_key'), data.get('word'), data.get('form')];
    const back = () => context.redirect(`${publicUrl}${new URL(context.req.url).pathname}`, 303);
    if (key !== null) {
      const problem = await refuseKey(key, scene);
      if (problem) return showPage(context, keyPage(problem), 403);
      await rememberAccount(context, question.account, visit);
      return back();
    }
    if (!(await isOwn(context, scene)))
      return showPage(context, keyPage('Nothing was done: give the key first.'), 403);
    const isForm = isFormToken(form, formToken(visit, token));
    if (!isForm || (word !== 'yes' && word !== 'no')) return showPage(context, asked(scene), 403);
    await questions.answer(token, word);
    return back();
  }

  /** Whether this is the browser that signed in, or its person has typed the key in it. */
  async function isOwn(context: Context, { question, visit }: Scene): Promise<boolean> {
    if (visit.browser === question.browser) return true;
    return (await heldAccounts(context, visit)).includes(question.account);
  }

  /** Why a key is not taken; undefined where it is the one that the assistant works with. */
  async function refuseKey(key: string, { token, question, visit }: Scene): Promise<string | undefined> {
    const name = `key ${hashOfAddress(token)}`;
    const until = Date.now() + ONE_TIME_URL_TTL_MS;
    if (!(await takeSlot(await deps.state(), { name, most: MAX_KEY_ATTEMPTS, until })))
      return 'Too many keys were tried here. Let the assistant ask again.';
    const print = computeKeyFingerprint(visit.secret, { baseUrl: deps.baseUrl, apiKey: key.trim() });
    return print === question.account ? undefined : 'This is not the key that the assistant works with.';
  }

  function asked({ token, question, visit }: Scene): Page {
    return askPage(question, formToken(visit, token));
  }
}
