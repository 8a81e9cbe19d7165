import type { inputRequired } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import type { TokenBinding } from './token.ts';

export interface ConfirmableCall {
  readonly binding: TokenBinding;
  /** Hash of the canonical call and the key: equal for all calls with the same effect. */
  readonly idempotencyKey: string;
  readonly token: string | undefined;
  /** See `PendingAction.summary`. */
  readonly summary: string;
  /** Details of the affected object, if they could be read. */
  readonly preview: () => Promise<JsonObject | undefined>;
}

/** Either an approval, or what the call returns instead of acting. */
export type ConfirmationResult =
  | { readonly approved: true; readonly channel: 'form' | 'token' | 'page' | 'card' }
  | { readonly approved: false; readonly result: ToolResult }
  | { readonly approved: false; readonly inputRequired: ReturnType<typeof inputRequired> };
