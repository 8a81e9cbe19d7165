import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import type { PageAct, PageQuestion, Shown } from '../../call/page-door.ts';
import { createRefusals, DECLINE_TTL_MS, type Word } from '../../call/word.ts';
import { canonicalJson, keyedHash } from '../../canonical.ts';
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
export interface OpenQuestion extends Shown, Asker {
  readonly tool: string;
  /** What was said, if anything was. */
  readonly word: 'yes' | 'no' | undefined;
  /** Whether the yes was carried out, or is being so. */
  readonly spent: boolean;
}

/** The questions to people, in the shared state: asked by a call, answered on a page, carried out by the next call. */
export interface Questions {
  /** The question that stands about exactly this call under this grant, else a new one. */
  stand(act: PageAct, asker: Asker): Promise<PageQuestion>;
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

  async function stand(act: PageAct, asker: Asker): Promise<PageQuestion> {
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
      const round = await act.round();
      const shown = await act.show();
      const expires = now() + ONE_TIME_URL_TTL_MS;
      const { deed, binding } = act;
      const sealed = await sealFor(state.secret, token, { ...shown, tool: binding.tool });
      await state.put(pageKey(token), { sealed, key, nonce, deed, round, ...asker, expires }, expires);
      // Of two such calls at once, both show the one question that came first.
      if (!(await state.claim(key, { nonce, expires, round }, expires)))
        return open(state, { key, token, expires, round, asked: shown });
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
      ...{ key, token, expires: Number(expires), asked: undefined },
      round: typeof round === 'string' ? round : '',
    });
  }

  function open(
    state: SharedState,
    {
      key,
      token,
      expires,
      round,
      asked,
    }: Pick<PageQuestion, 'round' | 'asked'> & {
      key: string;
      token: string;
      expires: number;
    },
  ): PageQuestion {
    return {
      url: getUrl(token),
      asked,
      round,
      secondsLeft: Math.max(0, Math.round((expires - now()) / 1000)),
      async word({ waitMs, signal }): Promise<Word> {
        const until = now() + Math.min(waitMs, Math.max(0, expires - now()));
        for (;;) {
          const said = await getDecision(state, token);
          if (said) return said;
          if (now() >= until) return 'silent';
          await sleep(POLL_INTERVAL_MS, undefined, { signal });
        }
      },
      settle: async (word) => (await answer(token, word)) ?? 'no',
      async spend() {
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
    if (stands === 'no') await createRefusals(state, { now }).add(String(page['deed']));
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
        will: String(shown['will']),
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
function bindingHash({ secret }: SharedState, { binding }: PageAct, { grant, account }: Asker): string {
  const { tool, args } = binding;
  return keyedHash(secret, ['question', grant, account, tool, canonicalJson(args)].join('\n'));
}
