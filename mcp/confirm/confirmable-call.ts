import type { inputRequired } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import type { TokenBinding } from './token.ts';

export interface ConfirmableCall {
  readonly binding: TokenBinding;
  /** Hash of what it comes to for the service, and of the key: the same for all calls that do the same. */
  readonly idempotencyKey: string;
  readonly token: string | undefined;
  /** What will happen, in our own words. */
  readonly summary: string;
  /** What it is about, as far as it could be read. */
  readonly preview: () => Promise<JsonObject | undefined>;
}

/** `approved` where a person agreed; otherwise what the call answers instead of acting. */
export type ConfirmationResult =
  | { readonly approved: true; readonly channel: 'form' | 'token' | 'page' | 'card' }
  | { readonly approved: false; readonly result: ToolResult }
  | { readonly approved: false; readonly inputRequired: ReturnType<typeof inputRequired> };
