import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { ToolResult } from '../contract/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { GatedAct, GateVerdict } from './gated-act.ts';
import type { PageDoor, PageQuestion } from './page-door.ts';
import { formatPreview } from './preview.ts';
import type { Word } from './word.ts';

/** What the host puts above the address that it offers to open; the page itself shows everything. */
const MESSAGE =
  'A page of this server shows what the assistant is about to do, and asks whether it may. Open it, and say yes or no there.';

/**
 * Asks on a page of this server: through the host where it opens addresses, else by an address that the answer carries.
 * Nothing in any answer can be spent by a model: the page alone takes the yes, and one call, made again, carries it out.
 */
export async function askOnPage(
  act: GatedAct,
  mcp: ServerContext,
  options: {
    door: PageDoor;
    waitMs: number;
    round: () => Promise<string>;
    settle: (word: Word) => Promise<GateVerdict>;
    /** A yes counts once, in whatever ways the same was asked. @throws ToolError where one came first. */
    agree: (round: string) => Promise<void>;
  },
): Promise<GateVerdict> {
  const { door, waitMs, round, settle, agree } = options;
  const { signal } = mcp.mcpReq;
  const question = await door.question({
    binding: act.binding,
    deed: act.deed,
    round,
    show: async () => {
      const { will } = act;
      const { args } = act.binding;
      checkReadable(will, args);
      return { will, args, about: await act.look() };
    },
  });
  const reply = inputResponse(mcp.mcpReq.inputResponses, 'confirm');
  const answered = reply.kind === 'elicit' ? reply.action : undefined;
  // To open the page is no yes, but not to open it is a no. A window that is closed after a yes on the page takes nothing back.
  const word =
    answered === 'decline' || answered === 'cancel'
      ? await question.settle('no')
      : await question.word({ waitMs: question.asked ? 0 : waitMs, signal });
  if (answered === 'decline') return settle('no');
  if (word === 'no') return settle('no');
  if (word === 'yes') {
    const verdict = await settle('yes');
    if (!verdict.go) return verdict;
    signal.throwIfAborted();
    if (!(await question.spend())) return { go: false, answer: TAKEN };
    await agree(question.round);
    return { go: true, by: 'page' };
  }
  if (answered === undefined && door.opensAddresses(mcp))
    return {
      go: false,
      ask: inputRequired({
        inputRequests: { confirm: inputRequired.elicitUrl({ message: MESSAGE, url: question.url }) },
      }),
    };
  return { go: false, answer: pending(act, question) };
}

/** More than anybody reads. */
const MAX_CHARACTERS = 60_000;

/** @throws ToolError for more than a person can check: a page hides nothing, so it can't be cut to fit. */
function checkReadable(will: string, args: JsonObject): void {
  formatPreview(will, args);
  if (JSON.stringify(args).length > MAX_CHARACTERS)
    throw new ToolError(
      'invalid_arguments',
      `More than ${MAX_CHARACTERS} characters, which nobody can check before they agree. Send less in one call.`,
    );
}

function pending({ will, binding }: GatedAct, { url, asked, secondsLeft }: PageQuestion): ToolResult {
  const preview = formatPreview(will, binding.args);
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const left = `${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}`;
  const next = `Nothing has happened yet. Give the person confirm_url: the page shows all of this and asks them, for ${left}. When they have answered there, call again with the same arguments: a yes is carried out then, once.`;
  return {
    data: {
      done: false,
      ...(asked ? {} : { unanswered: true }),
      preview,
      ...(asked?.about ? { about: asked.about } : {}),
      confirm_url: url,
      next,
    },
    unredactedFields: ['confirm_url'],
    trustedFields: ['preview', 'confirm_url', 'next'],
  };
}

const TAKEN: ToolResult = {
  data: {
    done: false,
    joined: true,
    next: 'The person agreed to this once, and another of your calls took that yes: its answer tells. This one did nothing. Look before you ask for it again.',
  },
  trustedFields: ['next'],
};
