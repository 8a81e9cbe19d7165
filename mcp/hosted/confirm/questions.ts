import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import type { ConfirmationDetails, PageConfirmationRequest, PageQuestion } from '../../call/page-door.ts';
import { createDeclineStore, DECLINE_TTL_MS, type ElicitationOutcome } from '../../call/word.ts';
import { canonicalJson, hmacHash } from '../../canonical.ts';
import type { OpenState, SharedState } from '../../state/shared-state.ts';
import {
  addressToken,
  freshNonce,
  hashOfAddress,
  isAddressToken,
  ONE_TIME_URL_TTL_MS,
  openSealed,
  sealFor,
} from '../one-time.ts';

/** The grant and key under which a call is made. */
export interface Asker {
  readonly grant: string;
  /** Fingerprint of the key; see `account.ts`. */
  readonly account: string;
  /** Hash of the browser that signed in; see `browserOf`. */
  readonly browser: string;
}

/** A question as its page sees it. */
export interface OpenQuestion extends ConfirmationDetails, Asker {
  readonly tool: string;
  /** What was said, if anything was. */
  readonly word: 'yes' | 'no' | undefined;
  /** Whether the yes was carried out, or is being so. */
  readonly spent: boolean;
}

/** The questions to people, in the shared state: asked by a call, answered on a page, carried out by the next call. */
export interface Questions {
  /** The question that stands about exactly this call under this grant, else a new one. */
  stand(act: PageConfirmationRequest, asker: Asker): Promise<PageQuestion>;
  /** Undefined where there is none (any more). */
  find(token: string): Promise<OpenQuestion | undefined>;
  /** Notes what a person said; the word that stands then, which is the first one. */
  answer(token: string, word: 'yes' | 'no'): Promise<'yes' | 'no' | undefined>;
}

/** How long a yes waits for the call that carries it out, as long as a no stands. */
const DECISION_TTL_MS = DECLINE_TTL_MS;
/** A yes that was taken so long ago is history: the same call asks anew. */
const USED_TTL_MS = 60_000;
const POLL_INTERVAL_MS = 300;

export function createQuestions(options: {
  state: OpenState;
  /** The address of a page, from its last segment. */
  getUrl: (token: string) => string;
  now?: () => number;
}): Questions {
  const { getUrl, now = Date.now } = options;

  async function stand(act: PageConfirmationRequest, asker: Asker): Promise<PageQuestion> {
    const state = await options.state();
    const key = `question ${bindingHash(state, act, asker)}`;
    for (;;) {
      const standing = await state.get(key);
      if (standing) {
        const question = await standingQuestion(state, key, standing);
        if (question) return question;
        await state.remove(key);
        continue;
      }
      const nonce = freshNonce();
      const token = getToken(state, nonce);
      // Before it is shown: whoever agrees elsewhere meanwhile has agreed to this as well.
      const round = await act.getConfirmationNonce();
      const shown = await act.getDetails();
      const expires = now() + ONE_TIME_URL_TTL_MS;
      const { idempotencyKey, binding } = act;
      const sealed = await sealFor(state.secret, token, { ...shown, tool: binding.tool });
      await state.put(
        pageKey(token),
        { sealed, key, nonce, deed: idempotencyKey, round, ...asker, expires },
        expires,
      );
      // Of two such calls at once, both show the one question that came first.
      if (!(await state.claim(key, { nonce, expires, round }, expires)))
        return open(state, { key, token, expires, confirmationNonce: round, newDetails: shown });
      await state.remove(pageKey(token));
    }
  }

  async function standingQuestion(state: SharedState, key: string, { nonce, expires, round }: JsonObject) {
    const token = getToken(state, String(nonce));
    if (Number(expires) <= now() && !(await getDecision(state, token))) return undefined;
    const spent = await state.get(`spent page ${hashOfAddress(token)}`);
    // Whoever took the yes ended before it could put the question away.
    if (spent && now() - Number(spent['at']) > USED_TTL_MS) return undefined;
    return open(state, {
      ...{ key, token, expires: Number(expires), newDetails: undefined },
      confirmationNonce: typeof round === 'string' ? round : '',
    });
  }

  function open(
    state: SharedState,
    {
      key,
      token,
      expires,
      confirmationNonce,
      newDetails,
    }: Pick<PageQuestion, 'confirmationNonce' | 'newDetails'> & {
      key: string;
      token: string;
      expires: number;
    },
  ): PageQuestion {
    return {
      url: getUrl(token),
      newDetails,
      confirmationNonce,
      secondsLeft: Math.max(0, Math.round((expires - now()) / 1000)),
      async waitForOutcome({ waitMs, signal }): Promise<ElicitationOutcome> {
        const until = now() + Math.min(waitMs, Math.max(0, expires - now()));
        for (;;) {
          const said = await getDecision(state, token);
          if (said) return said;
          if (now() >= until) return 'silent';
          await sleep(POLL_INTERVAL_MS, undefined, { signal });
        }
      },
      recordOutcome: async (word) => (await answer(token, word)) ?? 'no',
      async consume() {
        const hash = hashOfAddress(token);
        const until = now() + DECISION_TTL_MS;
        if (await state.claim(`spent page ${hash}`, { at: now() }, until)) return false;
        await state.remove(key);
        return true;
      },
    };
  }

  async function answer(token: string, word: 'yes' | 'no'): Promise<'yes' | 'no' | undefined> {
    const state = await options.state();
    const page = await state.get(pageKey(token));
    if (!page) return undefined;
    const before = await getDecision(state, token);
    if (before) return before;
    const until = now() + DECISION_TTL_MS;
    // First, so that a yes at the last minute waits for its call as long as any other.
    const { key, nonce, expires, round } = page;
    await state.put(String(key), { nonce, expires, round }, until);
    await state.put(pageKey(token), page, until);
    const standing = await state.claim(`word ${hashOfAddress(token)}`, { word, at: now() }, until);
    const stands = standing ? readWord(standing) : word;
    if (stands === 'no') await createDeclineStore(state, { now }).add(String(page['deed']));
    return stands;
  }

  return {
    stand,
    answer,
    async find(token) {
      if (!isAddressToken(token)) return undefined;
      const state = await options.state();
      const page = await state.get(pageKey(token));
      const shown = page && (await openSealed(state.secret, token, page['sealed']));
      if (!page || !shown) return undefined;
      const word = await getDecision(state, token);
      if (!word && Number(page['expires']) <= now()) return undefined;
      const refused = word !== 'yes' ? undefined : await state.get(`refused ${String(page['deed'])}`);
      return {
        tool: String(shown['tool']),
        summary: String(shown['will']),
        args: isObject(shown['args']) ? shown['args'] : {},
        about: isObject(shown['about']) ? shown['about'] : undefined,
        grant: String(page['grant']),
        account: String(page['account']),
        browser: String(page['browser']),
        // The same was refused elsewhere meanwhile, which is final.
        word: refused ? 'no' : word,
        spent: (await state.get(`spent page ${hashOfAddress(token)}`)) !== undefined,
      };
    },
  };
}

const pageKey = (token: string) => `page ${hashOfAddress(token)}`;

const getToken = (state: SharedState, nonce: string) =>
  addressToken(state.secret, { kind: 'confirm', nonce });

async function getDecision(state: SharedState, token: string): Promise<'yes' | 'no' | undefined> {
  const entry = await state.get(`word ${hashOfAddress(token)}`);
  return entry && readWord(entry);
}

function readWord(entry: JsonObject): 'yes' | 'no' {
  return entry['word'] === 'yes' ? 'yes' : 'no';
}

/** One text for one tool with its exact arguments, under one grant and key. */
function bindingHash(
  { secret }: SharedState,
  { binding }: PageConfirmationRequest,
  { grant, account }: Asker,
): string {
  const { tool, args } = binding;
  return hmacHash(secret, ['question', grant, account, tool, canonicalJson(args)].join('\n'));
}
