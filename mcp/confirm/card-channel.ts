import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { CARD_REQUEST_KEY, type CardRequest } from './card-request.ts';
import type { ConfirmableCall } from './confirmable-call.ts';
import { formatPreview } from './preview.ts';

/** A person's answer on a card. */
export interface CardDecision {
  readonly token: string;
  readonly approved: boolean;
}

/**
 * Asks by a card in the chat: the answer shows what will happen, and what passes a yes on stands where views alone read
 * it. The same call asked again shows the card again.
 */
export async function askByCard(call: ConfirmableCall, token: string): Promise<ToolResult> {
  const { binding, summary } = call;
  const preview = formatPreview(summary, binding.args);
  const about = await call.preview();
  const cardRequest: CardRequest = {
    token,
    tool: binding.tool,
    arguments: binding.args as JsonObject,
  };
  return {
    data: {
      done: false,
      preview,
      ...(about ? { about } : {}),
      next: 'Nothing has happened yet. The person sees a card with this and decides there; then it is done or refused without another call of yours. Tell them so, and wait. Whoever sees no card can start this server with --confirm token.',
    },
    trustedFields: ['preview', 'next'],
    meta: { [CARD_REQUEST_KEY]: cardRequest },
  };
}
