import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { abortableSleep } from '../abortable-sleep.ts';
import { computeHmac, toCanonicalJson } from '../canonical-json.ts';
import type {
  ConfirmationDetails,
  PageConfirmationRequest,
  PageDecision,
  PageQuestion,
} from '../confirm/confirmation-page.ts';
import { createDeclineStore, DECLINE_TTL_MS } from '../confirm/outcome.ts';
import type { TokenBinding } from '../confirm/token.ts';
import type { SharedState, StateProvider } from '../state/shared-state.ts';
import { ToolError } from '../tool-error.ts';
import {
  createNonce,
  createUrlToken,
  decryptForToken,
  encryptForToken,
  hashUrlToken,
  isUrlToken,
  ONE_TIME_URL_TTL_MS,
} from './one-time-url.ts';
import { acquireSlots, releaseSlots } from './semaphore.ts';

/** Grant, key and browser of the person behind a call. */
export interface Requester {
  readonly grant: string;
  /** Hash of the person, if several share the key. */
  readonly person?: string | undefined;
  /** Fingerprint of the API key; see `account.ts`. */
  readonly account: string;
  /** Browser that signed in; see {@link getBrowserId}. */
  readonly browser: string;
}

export interface ConfirmationRequest extends ConfirmationDetails, Requester {
  readonly tool: string;
  readonly appName?: string | undefined;
  readonly decision: PageDecision | undefined;
  /** True if a call has used the approval. */
  readonly isUsed: boolean;
  /** True if the person denied it on this page and can take that back. */
  readonly isWithdrawable: boolean;
}

export type ConfirmationRequests = ReturnType<typeof createConfirmationRequests>;

/** An approval waits for its call as long as a decline lasts. */
const DECISION_TTL_MS = DECLINE_TTL_MS;
/** After this time, the same call needs a new approval. */
const USED_TTL_MS = 60_000;
const POLL_INTERVAL_MS = 300;
/** Open requests of one sign-in, and of all sign-ins of one key or, if people share it, one person. A long request counts as several. */
const DEFAULT_LIMITS = { perGrant: 8, perKey: 32 };
/** Slots of answered requests per key or person. Beyond them, an answered request keeps those of an open one until it expires. */
const MAX_ANSWERED_SLOTS = 64;
const CHARACTERS_PER_SLOT = 8 * 1024;

/** Confirmation requests in the shared state: a call opens one, a page answers it, the next call uses the answer. */
export function createConfirmationRequests(options: {
  state: StateProvider;
  getUrl: (token: string) => string;
  limits?: { readonly perGrant: number; readonly perKey: number };
  now?: () => number;
}) {
  const { getUrl, limits = DEFAULT_LIMITS, now = Date.now } = options;

  /** Returns the open request for exactly this call under this grant, or creates one. */
  async function findOrCreate(request: PageConfirmationRequest, requester: Requester): Promise<PageQuestion> {
    const state = await options.state();
    const key = getQuestionKey(state, request.binding, requester);
    for (;;) {
      const existing = await state.get(key);
      if (existing) {
        const existingRequest = await openExisting(state, key, existing);
        if (existingRequest) return existingRequest;
        await state.remove(key);
        continue;
      }
      const nonce = createNonce();
      const token = getToken(state, nonce);
      const content = await request.getDetails();
      // Created before the request is shown, so that an approval through another channel meanwhile counts for it.
      const round = await request.getConfirmationNonce(content);
      const expires = now() + ONE_TIME_URL_TTL_MS;
      const { basis: _, ...shown } = content;
      const slots = await takeSlots(state, requester, { characters: JSON.stringify(shown).length, until: expires });
      const { effectKeys, binding, appName } = request;
      const sealed = await encryptForToken(state.secret, token, { ...shown, tool: binding.tool, appName });
      const page = { sealed, key, nonce, effectKeys, round, ...requester, expires, slots };
      await state.put(getPageKey(token), page, expires);
      // If two such calls race, both show the request that was stored first.
      const remove = async () => {
        await Promise.all([state.remove(getPageKey(token)), releaseSlots(state, slots)]);
      };
      if (!(await state.putIfAbsent(key, { nonce, expires, round }, expires))) {
        const question = openRequest(state, { key, token, expires, confirmationNonce: round, newDetails: content });
        return { ...question, withdraw: () => state.remove(key).then(remove) };
      }
      await remove();
    }
  }

  /** Bounds what one sign-in, and one key, can store. @throws ToolError if too much is open. */
  async function takeSlots(
    state: SharedState,
    { grant, account, person }: Requester,
    { characters, until }: { characters: number; until: number },
  ): Promise<readonly string[]> {
    const count = Math.min(limits.perGrant, Math.ceil(characters / CHARACTERS_PER_SLOT));
    const grantSlots = await acquireSlots(state, { name: `question ${grant}`, max: limits.perGrant, count, until });
    if (grantSlots) {
      const name = getKeySlotName('questions', { account, person });
      const keySlots = await acquireSlots(state, { name, max: limits.perKey, count, until });
      if (keySlots) return [...grantSlots, ...keySlots];
      await releaseSlots(state, grantSlots);
    }
    throw new ToolError(
      'too_many',
      'Too many questions wait for the user’s approval. Nothing was done. Let the user answer them first; each expires after 10 minutes.',
    );
  }

  async function openExisting(state: SharedState, key: string, { nonce, expires, round }: JsonObject) {
    const token = getToken(state, String(nonce));
    if (Number(expires) <= now() && !(await getDecision(state, token))) return undefined;
    const spent = await state.get(`spent page ${hashUrlToken(token)}`);
    // The call that used the approval ended before it could remove the request.
    if (spent && now() - Number(spent['at']) > USED_TTL_MS) return undefined;
    const confirmationNonce = typeof round === 'string' ? round : '';
    return openRequest(state, { key, token, expires: Number(expires), confirmationNonce, newDetails: undefined });
  }

  function openRequest(
    state: SharedState,
    request: Pick<PageQuestion, 'confirmationNonce' | 'newDetails'> & { key: string; token: string; expires: number },
  ): PageQuestion {
    const { key, token, expires, confirmationNonce, newDetails } = request;
    return {
      url: getUrl(token),
      newDetails,
      confirmationNonce,
      secondsLeft: Math.max(0, Math.round((expires - now()) / 1000)),
      ageMs: now() - (expires - ONE_TIME_URL_TTL_MS),
      async waitForOutcome({ waitMs, signal }) {
        const until = now() + Math.min(waitMs, Math.max(0, expires - now()));
        for (;;) {
          const decision = await getDecision(state, token);
          if (decision) return decision;
          if (now() >= until) return 'timed_out';
          await abortableSleep(POLL_INTERVAL_MS, signal);
        }
      },
      recordDecline: async () => (await recordDecision(token, 'declined')) ?? 'declined',
      async consume() {
        const hash = hashUrlToken(token);
        const until = now() + DECISION_TTL_MS;
        if (await state.putIfAbsent(`spent page ${hash}`, { at: now() }, until)) return false;
        await state.remove(key);
        return true;
      },
    };
  }

  /** Records a decision and returns the one that counts, which is the first. */
  async function recordDecision(token: string, decision: PageDecision): Promise<PageDecision | undefined> {
    const state = await options.state();
    const page = await state.get(getPageKey(token));
    if (!page) return undefined;
    const earlierDecision = await getDecision(state, token);
    if (earlierDecision) return earlierDecision;
    const until = now() + DECISION_TTL_MS;
    // Extended first, so that a late approval waits for its call as long as any other.
    const { key, nonce, expires, round } = page;
    await state.put(String(key), { nonce, expires, round }, until);
    await state.put(getPageKey(token), page, until);
    const existing = await state.putIfAbsent(`decision ${hashUrlToken(token)}`, { decision, at: now() }, until);
    const finalDecision = existing ? parseDecision(existing) : decision;
    if (finalDecision === 'declined') await createDeclineStore(state, { now }).add(getEffectKeys(page));
    await releaseAnswered(state, page, until);
    return finalDecision;
  }

  /** Frees the slots for open requests, because this one no longer waits for a person. */
  async function releaseAnswered(state: SharedState, page: JsonObject, until: number): Promise<void> {
    const slots = Array.isArray(page['slots']) ? page['slots'].map(String) : [];
    const name = getKeySlotName('answered', page);
    // One half counts for the sign-in, the other for the key.
    const answered = await acquireSlots(state, { name, max: MAX_ANSWERED_SLOTS, count: slots.length / 2, until });
    if (answered) await releaseSlots(state, slots);
    else await Promise.all(slots.map((slot) => state.put(slot, { until }, until)));
  }

  /** Takes a decline back: the person can decide again. */
  async function withdrawDecline(token: string): Promise<void> {
    const state = await options.state();
    const page = await state.get(getPageKey(token));
    if (!page || (await getDecision(state, token)) !== 'declined') return;
    const expires = now() + ONE_TIME_URL_TTL_MS;
    const { key, nonce, round } = page;
    await state.put(String(key), { nonce, expires, round }, expires);
    await state.put(getPageKey(token), { ...page, expires }, expires);
    await createDeclineStore(state, { now }).remove(getEffectKeys(page));
    await state.remove(`decision ${hashUrlToken(token)}`);
  }

  return {
    findOrCreate,
    /** Returns whether a person has decided about exactly this call under this grant. */
    async isDecided(binding: TokenBinding, requester: Requester): Promise<boolean> {
      const state = await options.state();
      const existing = await state.get(getQuestionKey(state, binding, requester));
      return (
        existing !== undefined && (await getDecision(state, getToken(state, String(existing['nonce'])))) !== undefined
      );
    },
    recordDecision,
    withdrawDecline,
    /** Returns undefined if there is none, or it has expired. */
    async find(token: string): Promise<ConfirmationRequest | undefined> {
      if (!isUrlToken(token)) return undefined;
      const state = await options.state();
      const page = await state.get(getPageKey(token));
      const content = page && (await decryptForToken(state.secret, token, page['sealed']));
      if (!page || !content) return undefined;
      const decision = await getDecision(state, token);
      if (!decision && Number(page['expires']) <= now()) return undefined;
      const isUsed = (await state.get(`spent page ${hashUrlToken(token)}`)) !== undefined;
      const isUnusedApproval = decision === 'accepted' && !isUsed;
      const declinedElsewhere = isUnusedApproval
        ? await createDeclineStore(state, { now }).find(getEffectKeys(page))
        : undefined;
      return {
        tool: String(content['tool']),
        appName: typeof content['appName'] === 'string' ? content['appName'] : undefined,
        headline: String(content['headline']),
        ...(typeof content['workspace'] === 'string' ? { workspace: content['workspace'] } : {}),
        ...(typeof content['notice'] === 'string' ? { notice: content['notice'] } : {}),
        args: isObject(content['args']) ? content['args'] : {},
        about: isObject(content['about']) ? content['about'] : undefined,
        grant: String(page['grant']),
        account: String(page['account']),
        browser: String(page['browser']),
        // A decline elsewhere meanwhile is final, but not about an approval that was already used.
        decision: declinedElsewhere === undefined ? decision : 'declined',
        isUsed,
        isWithdrawable: decision === 'declined',
      };
    },
  };
}

const getEffectKeys = ({ effectKeys }: JsonObject) => (Array.isArray(effectKeys) ? effectKeys.map(String) : []);

const getKeySlotName = (kind: string, { account, person }: { account?: unknown; person?: unknown }) =>
  [kind, account, person ?? []].flat().join(' ');

const getPageKey = (token: string) => `page ${hashUrlToken(token)}`;

const getToken = (state: SharedState, nonce: string) => createUrlToken(state.secret, { kind: 'confirm', nonce });

async function getDecision(state: SharedState, token: string): Promise<PageDecision | undefined> {
  const entry = await state.get(`decision ${hashUrlToken(token)}`);
  return entry && parseDecision(entry);
}

function parseDecision(entry: JsonObject): PageDecision {
  return entry['decision'] === 'accepted' ? 'accepted' : 'declined';
}

/** Key of the request for one tool with its exact arguments, under one grant and key. */
function getQuestionKey({ secret }: SharedState, { tool, args }: TokenBinding, { grant, account }: Requester): string {
  return `question ${computeHmac(secret, ['question', grant, account, tool, toCanonicalJson(args)].join('\n'))}`;
}
