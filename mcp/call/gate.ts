import {
  inputRequired,
  inputResponse,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolResult } from '../contract/tool.ts';
import type { OpenState } from '../state/shared-state.ts';
import { ToolError } from '../tool-error.ts';
import { askOnCard, type CardDecision } from './ask-on-card.ts';
import { askOnPage } from './ask-on-page.ts';
import { BROKEN_CODE } from './broken-answer.ts';
import { createConfirmTokens, TOKEN_TTL_MS, type TokenFault, type TokenKind } from './confirm-token.ts';
import type { GatedAct, GateVerdict } from './gated-act.ts';
import { createOpenForms, type OpenForm } from './open-forms.ts';
import type { PageDoor } from './page-door.ts';
import { formatFormMessage, formatPreview } from './preview.ts';
import { createRounds } from './rounds.ts';
import { createRefusals, parseElicitationOutcome, type Word } from './word.ts';

/** Where a person can be asked; one for each connection (stdio) or request (HTTP). */
export interface FormDoor {
  readonly era: 'legacy' | 'modern';
  /** Whether the host of this connection says that it shows forms. */
  rendersForms(mcp: ServerContext): boolean;
  /** Where the person is asked if not by a form; without it a preview's token is good for the act. */
  readonly page?: PageDoor | undefined;
  /** Whether the host of this connection says that it shows views, and keeps from the model what is for them. */
  showsCards?(mcp: ServerContext): boolean;
  /** What a person answered on a card, where that is what the call is. */
  readonly decision?: CardDecision;
}

export interface Gate {
  /** What a call answers whose like was refused; undefined where none was. */
  refused(deed: string): Promise<ToolResult | undefined>;
  check(act: GatedAct, mcp: ServerContext, forms: FormDoor): Promise<GateVerdict>;
}

const FAULTS: Readonly<Record<TokenFault | 'overtaken', string>> = {
  forged: 'is not one of this server',
  expired: 'is older than ten minutes',
  used: 'was used already; it is good for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key',
  overtaken:
    'comes too late: the same was agreed to meanwhile, and the answer of that call says what came of it',
};

/** What a yes answers: in what words it is called, and the round that it was asked in. */
interface Question {
  readonly what: string;
  readonly round: string;
}

/** What is looked up for a form may take so long. */
const PREVIEW_TIMEOUT_MS = 60_000;

const FORM = {
  type: 'object' as const,
  properties: {
    confirm: {
      type: 'boolean' as const,
      title: 'Yes, do this now',
      // Off unless a person switches it on: a host that fills in defaults by itself confirms nothing.
      default: false,
    },
  },
  required: ['confirm'],
};

/**
 * Lets an act pass only with a person's word: by the host's form where it shows one, else by a page of this server where it
 * has one, else by a preview and its token.
 * A no, or an answer that is no clear yes, stands for ten minutes; where nobody answers, nothing happens.
 */
export function createGate(options: {
  state: OpenState;
  formWaitMs?: number;
  /** How long a call that was made again waits for the person to answer on the page. */
  pageWaitMs?: number;
  /** Confirms by token even where the host says that it shows forms: for hosts that say so and don't. */
  tokensOnly?: boolean;
  now?: () => number;
}): Gate {
  const { formWaitMs = 40_000, pageWaitMs = 20_000, tokensOnly = false, now = Date.now } = options;
  const forms = createOpenForms({ state: options.state, now });
  const open = async () => {
    const state = await options.state();
    return {
      tokens: createConfirmTokens(state, { now }),
      refusals: createRefusals(state, { now }),
      rounds: createRounds(state, { now }),
    };
  };

  async function mint(kind: TokenKind, { binding, deed }: GatedAct): Promise<string> {
    const { tokens, rounds } = await open();
    return tokens.mint(kind, binding, await rounds.current(deed));
  }

  /** @throws ToolError where the token is not good for this. */
  async function redeem(kind: TokenKind, act: GatedAct, token: string): Promise<Question> {
    const { tokens } = await open();
    const what = { preview: 'confirm_token', form: 'The form’s state', card: 'The card’s answer' }[kind];
    const fault = await tokens.redeem(token, { kind, binding: act.binding });
    if (fault) throw refusal(what, fault);
    return { what, round: tokens.getConfirmationNonce(token) };
  }

  /** A yes counts once, however often and in whatever ways the same was asked. @throws ToolError where one came first. */
  async function agree(act: GatedAct, { what, round }: Question): Promise<void> {
    const { rounds } = await open();
    if (!(await rounds.take(act.deed, round))) throw refusal(what, 'overtaken');
  }

  async function refused(deed: string): Promise<ToolResult | undefined> {
    const { refusals } = await open();
    const secondsAgo = await refusals.find(deed);
    return secondsAgo === undefined ? undefined : declined(secondsAgo);
  }

  /** Notes a no before anybody hears of it; a yes counts only where no other server has heard a no meanwhile. */
  async function settle(act: GatedAct, word: Word): Promise<GateVerdict> {
    if (word === 'no') await (await open()).refusals.add(act.deed);
    const none = {
      yes: undefined,
      no: undefined,
      silent: unanswered(formWaitMs),
      broken: BROKEN,
      gone: GONE,
    };
    const answer = (await refused(act.deed)) ?? none[word];
    return answer ? { go: false, answer } : { go: true, by: 'form' };
  }

  async function join(form: OpenForm, act: GatedAct, mcp: ServerContext): Promise<GateVerdict> {
    const verdict = await settle(act, await form.answered(mcp.mcpReq.signal));
    return verdict.go ? { go: false, answer: JOINED } : verdict;
  }

  async function askLegacy(act: GatedAct, mcp: ServerContext): Promise<GateVerdict> {
    let word: Word = 'gone';
    try {
      const round = await (await open()).rounds.current(act.deed);
      const message = formatFormMessage(formatPreview(act.will, act.binding.args), await act.look());
      word = await elicited(mcp, { message, timeoutMs: formWaitMs });
      // Whoever waits for the same form must not hear a yes by which nothing is done.
      if (word === 'yes' && mcp.mcpReq.signal.aborted) word = 'gone';
      const verdict = await settle(act, word);
      mcp.mcpReq.signal.throwIfAborted();
      if (verdict.go) await agree(act, { what: 'The form’s answer', round });
      return verdict;
    } finally {
      await forms.settle(act.deed, word);
    }
  }

  async function askModern(act: GatedAct): Promise<GateVerdict> {
    try {
      const message = formatFormMessage(formatPreview(act.will, act.binding.args), await act.look());
      return {
        go: false,
        ask: inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: FORM }) },
          requestState: await mint('form', act),
        }),
      };
    } catch (error) {
      await forms.settle(act.deed, 'gone');
      throw error;
    }
  }

  /** The answer to a form of the modern era comes with the call, made again. */
  async function hear(act: GatedAct, mcp: ServerContext, state: string): Promise<GateVerdict> {
    const question = await redeem('form', act, state);
    const responses = mcp.mcpReq.inputResponses ?? {};
    const reply = inputResponse(responses, 'confirm');
    // A name `__proto__` becomes what is inherited, which nobody has answered.
    const isAnswer = reply.kind === 'elicit' && Object.hasOwn(responses, 'confirm');
    const word = isAnswer ? parseElicitationOutcome(reply.action, reply.content) : 'no';
    try {
      const verdict = await settle(act, word);
      if (verdict.go) await agree(act, question);
      return verdict;
    } finally {
      await forms.settle(act.deed, word);
    }
  }

  async function preview(act: GatedAct): Promise<ToolResult> {
    const text = formatPreview(act.will, act.binding.args);
    const about = await act.look();
    return {
      data: {
        done: false,
        preview: text,
        ...(about ? { about } : {}),
        confirm_token: await mint('preview', act),
        next: 'Nothing has happened yet. When the person agrees, call again with the same arguments and this confirm_token (once, within 10 minutes).',
      },
      unredactedFields: ['confirm_token'],
      trustedFields: ['preview', 'next', 'confirm_token'],
    };
  }

  async function decide(act: GatedAct, { token, go }: CardDecision): Promise<GateVerdict> {
    const question = await redeem('card', act, token);
    const verdict = await settle(act, go ? 'yes' : 'no');
    if (!verdict.go) return verdict;
    await agree(act, question);
    return { go: true, by: 'card' };
  }

  /** A host may say that it shows views and still not show this one: asked once more, its form decides if it has one. */
  async function isCardDue(act: GatedAct, mcp: ServerContext, door: FormDoor): Promise<boolean> {
    if (tokensOnly || door.showsCards?.(mcp) !== true) return false;
    const state = await options.state();
    const shown = await state.claim(`card ${act.deed}`, {}, now() + TOKEN_TTL_MS);
    return !shown || !door.rendersForms(mcp);
  }

  return {
    refused,
    async check(act, mcp, door) {
      const before = await refused(act.deed);
      if (before) return { go: false, answer: before };
      if (door.decision) return decide(act, door.decision);
      if (await isCardDue(act, mcp, door))
        return { go: false, answer: await askOnCard(act, await mint('card', act)) };
      const formsOnly = !tokensOnly && door.rendersForms(mcp);
      if (!formsOnly && door.page) {
        return askOnPage(act, mcp, {
          door: door.page,
          waitMs: pageWaitMs,
          round: async () => (await open()).rounds.current(act.deed),
          settle: (word) => settle(act, word),
          agree: (round) => agree(act, { what: 'The page’s answer', round }),
        });
      }
      if (!formsOnly) {
        if (act.token === undefined) return { go: false, answer: await preview(act) };
        await agree(act, await redeem('preview', act, act.token));
        return { go: true, by: 'token' };
      }
      if (act.token !== undefined)
        throw new ToolError(
          'not_confirmed',
          'This host shows forms, so that no confirm_token is taken. Nothing was done. Call without it: the person is asked.',
          { fault: 'forms' },
        );
      const state = mcp.mcpReq.requestState();
      if (door.era === 'modern' && typeof state === 'string') return hear(act, mcp, state);
      const isModern = door.era === 'modern';
      // A host of the 2025 revisions is waited for, and its form closed, when it has answered.
      const form = await forms.enter(act.deed, isModern ? formWaitMs : formWaitMs + PREVIEW_TIMEOUT_MS);
      if (!form.own) return join(form, act, mcp);
      return isModern ? askModern(act) : askLegacy(act, mcp);
    },
  };
}

/** Asks through the host. Whatever comes back in place of a yes is a no; only a time-out is silence, and what was no message says nothing. */
async function elicited(
  mcp: ServerContext,
  { message, timeoutMs }: { message: string; timeoutMs: number },
): Promise<Word> {
  try {
    const reply = await mcp.mcpReq.elicitInput(
      { mode: 'form', message, requestedSchema: FORM },
      // A form of a call that was cancelled is taken away: its yes would do nothing.
      // Over HTTP it goes out on the call's own stream: not every host keeps another one open.
      { timeout: timeoutMs, signal: mcp.mcpReq.signal, relatedRequestId: mcp.mcpReq.id },
    );
    return parseElicitationOutcome(reply.action, reply.content);
  } catch (error) {
    if (mcp.mcpReq.signal.aborted) return 'gone';
    if (error instanceof ProtocolError && error.code === BROKEN_CODE) return 'broken';
    return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'silent' : 'no';
  }
}

function declined(secondsAgo: number): ToolResult {
  return {
    data: {
      done: false,
      declined: true,
      next: `The person said no, or closed the form${secondsAgo > 1 ? `, ${secondsAgo} s ago` : ''}; nothing was done. This stays a no for ten minutes: ask the person what they want instead, and do not try another way.`,
    },
    trustedFields: ['next'],
  };
}

function unanswered(waitedMs: number): ToolResult {
  return {
    data: {
      done: false,
      unanswered: true,
      next: `Nobody answered the form within ${Math.round(waitedMs / 1000)} s, and nothing was done. Calling again asks again. Where the host shows no forms, a person can start this server with --confirm token.`,
    },
    trustedFields: ['next'],
  };
}

const BROKEN: ToolResult = {
  data: {
    done: false,
    unanswered: true,
    next: 'What the host sent as the answer to the form was no message of the protocol, so nobody’s word is known, and nothing was done. Calling again asks again. If it stays so, a person can start this server with --confirm token.',
  },
  trustedFields: ['next'],
};

const GONE: ToolResult = {
  data: {
    done: false,
    unanswered: true,
    next: 'The person was being asked by another call of the same, which ended first, cancelled or failed: its form is gone, and nothing was done. Calling again asks again.',
  },
  trustedFields: ['next'],
};

const JOINED: ToolResult = {
  data: {
    done: false,
    joined: true,
    next: 'The person was asked once for this, and said yes: the first of your calls does it, and its answer tells. This second one did nothing.',
  },
  trustedFields: ['next'],
};

function refusal(what: string, fault: TokenFault | 'overtaken'): ToolError {
  return new ToolError(
    'not_confirmed',
    `${what} ${FAULTS[fault]}. Nothing was done. Call without confirm_token to be asked anew, and pass a token only with exactly the same arguments.`,
    { fault },
  );
}
