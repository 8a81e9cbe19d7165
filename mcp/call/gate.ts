import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import { clipped } from '../answer/projection.ts';
import { hashOf } from '../canonical.ts';
import type { ToolAnswer } from '../contract/tool.ts';
import { ToolError } from '../tool-error.ts';
import { type Binding, type ConfirmTokens, TOKEN_TTL_MS, type TokenFault } from './confirm-token.ts';

/** Where a person can be asked; one for each connection (stdio) or request (HTTP). */
export interface FormDoor {
  readonly era: 'legacy' | 'modern';
  /** Whether the host of this connection says that it shows forms. */
  rendersForms(mcp: ServerContext): boolean;
}

export interface GatedAct {
  readonly binding: Binding;
  readonly token: string | undefined;
  /** What will happen, from the caller's own arguments. */
  readonly will: string;
  /** What it is about, as far as it could be read. */
  readonly look: () => Promise<JsonObject | undefined>;
}

/** `go` where a person agreed; otherwise what the call answers instead of acting. */
export type GateVerdict =
  | { readonly go: true; readonly by: 'form' | 'token' }
  | { readonly go: false; readonly answer: ToolAnswer }
  | { readonly go: false; readonly ask: ReturnType<typeof inputRequired> };

export interface Gate {
  check(confirmation: GatedAct, mcp: ServerContext, forms: FormDoor): Promise<GateVerdict>;
}

const FAULTS: Readonly<Record<TokenFault, string>> = {
  forged: 'is not one of this server, or the server was restarted since',
  expired: 'is older than ten minutes',
  used: 'was used already; it is good for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key',
};

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
 * Lets an act pass only with a person's word: by the host's form where it shows one, else by a preview and its token.
 * Whatever is unclear, late or unanswered ends in a preview, and nothing happens.
 */
export function createGate(options: { tokens: ConfirmTokens; formWaitMs?: number }): Gate {
  const { tokens, formWaitMs = 40_000 } = options;
  /** Forms of the modern era that were asked for and not answered yet, by what they are about. */
  const asked = new Map<string, number>();
  /** Hosts that said they show forms and let one go unanswered. */
  const silent = new WeakSet<FormDoor>();

  async function preview({ binding, will, look }: GatedAct): Promise<ToolAnswer> {
    const about = await look();
    return {
      data: {
        done: false,
        preview: will,
        ...(about ? { about } : {}),
        confirm_token: tokens.mint('preview', binding),
        next: 'Nothing has happened yet. When the person agrees, call again with the same arguments and this confirm_token (once, within 10 minutes).',
      },
      reveals: ['confirm_token'],
      own: ['preview', 'next', 'confirm_token'],
    };
  }

  function read(action: string, content: unknown): 'yes' | 'no' | 'unclear' {
    const confirmed =
      typeof content === 'object' && content !== null && 'confirm' in content && content.confirm === true;
    if (action === 'accept' && confirmed) return 'yes';
    return action === 'decline' || (action === 'accept' && content !== undefined) ? 'no' : 'unclear';
  }

  const declined = (): GateVerdict => ({
    go: false,
    answer: {
      data: { done: false, declined: true, next: 'The person said no; nothing was done.' },
      own: ['next'],
    },
  });

  async function verdictOf(word: 'yes' | 'no' | 'unclear', confirmation: GatedAct): Promise<GateVerdict> {
    if (word === 'yes') return { go: true, by: 'form' };
    if (word === 'no') return declined();
    return { go: false, answer: await preview(confirmation) };
  }

  async function askLegacy(
    confirmation: GatedAct,
    mcp: ServerContext,
    forms: FormDoor,
  ): Promise<GateVerdict> {
    const message = await messageOf(confirmation);
    const reply = await mcp.mcpReq
      .elicitInput({ mode: 'form', message, requestedSchema: FORM }, { timeout: formWaitMs })
      .catch(() => undefined);
    if (mcp.mcpReq.signal.aborted) throw mcp.mcpReq.signal.reason;
    if (!reply) silent.add(forms);
    return verdictOf(reply ? read(reply.action, reply.content) : 'unclear', confirmation);
  }

  async function askModern(confirmation: GatedAct, mcp: ServerContext): Promise<GateVerdict> {
    const { binding } = confirmation;
    const key = `${binding.account}\n${binding.tool}\n${hashOf(binding.args)}`;
    const state = mcp.mcpReq.requestState();
    if (typeof state === 'string') {
      asked.delete(key);
      const fault = tokens.redeem('form', state, binding);
      if (fault) throw refusal('The form’s state', fault);
      const reply = inputResponse(mcp.mcpReq.inputResponses, 'confirm');
      const word = reply.kind === 'elicit' ? read(reply.action, reply.content) : 'unclear';
      return verdictOf(word, confirmation);
    }
    const now = Date.now();
    for (const [old, until] of asked) if (until <= now) asked.delete(old);
    // The same call again without an answer: its host does not show the form after all.
    if (asked.delete(key)) return { go: false, answer: await preview(confirmation) };
    asked.set(key, now + TOKEN_TTL_MS);
    const message = await messageOf(confirmation);
    return {
      go: false,
      ask: inputRequired({
        inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: FORM }) },
        requestState: tokens.mint('form', binding),
      }),
    };
  }

  return {
    async check(confirmation, mcp, forms) {
      if (confirmation.token !== undefined) {
        const fault = tokens.redeem('preview', confirmation.token, confirmation.binding);
        if (fault) throw refusal('confirm_token', fault);
        return { go: true, by: 'token' };
      }
      if (forms.rendersForms(mcp) && !silent.has(forms))
        return forms.era === 'modern' ? askModern(confirmation, mcp) : askLegacy(confirmation, mcp, forms);
      return { go: false, answer: await preview(confirmation) };
    },
  };
}

function refusal(what: string, fault: TokenFault): ToolError {
  return new ToolError(
    'not_confirmed',
    `${what} ${FAULTS[fault]}. Nothing was done. Call without confirm_token for a new preview, and pass its token with exactly the same arguments.`,
    { fault },
  );
}

/** What the form says; text from outside stands quoted behind our own sentence. */
async function messageOf({ will, look }: GatedAct): Promise<string> {
  const about = await look();
  return about
    ? `${will}\n\nAbout (as the service describes it): ${clipped(JSON.stringify(about), 6000)}`
    : will;
}
