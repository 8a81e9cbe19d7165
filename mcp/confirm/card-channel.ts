import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { CARD_REQUEST_KEY, type CardRequest } from './card-request.ts';
import type { ConfirmableCall } from './confirmable-call.ts';
import { formatPreview } from './preview.ts';

/** A user's decision on a confirmation card. */
export interface CardDecision {
  readonly token: string;
  readonly approved: boolean;
}

/** Asks on a card in the chat. The token is in `_meta`, which hosts keep from the model. */
export async function askByCard(call: ConfirmableCall, token: string): Promise<ToolResult> {
  const { binding, summary } = call;
  const preview = formatPreview(summary, binding.args);
  const about = await call.preview();
  const cardRequest: CardRequest = { token, tool: binding.tool, arguments: binding.args as JsonObject };
  return {
    data: {
      done: false,
      preview,
      ...(about ? { about } : {}),
      next: 'Nothing has been done yet. The user decides on a card in the chat; the action then runs, or is denied, without another call. Tell the user and wait. If no card is shown, the server can be started with --confirm token.',
    },
    trustedFields: ['preview', 'next'],
    meta: { [CARD_REQUEST_KEY]: cardRequest },
  };
}
