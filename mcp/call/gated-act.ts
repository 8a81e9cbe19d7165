import type { inputRequired } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { ToolResult } from '../contract/tool.ts';
import type { Binding } from './confirm-token.ts';

export interface GatedAct {
  readonly binding: Binding;
  /** Hash of what it comes to for the service, and of the key: the same for all calls that do the same. */
  readonly deed: string;
  readonly token: string | undefined;
  /** What will happen, in our own words. */
  readonly will: string;
  /** What it is about, as far as it could be read. */
  readonly look: () => Promise<JsonObject | undefined>;
}

/** `go` where a person agreed; otherwise what the call answers instead of acting. */
export type GateVerdict =
  | { readonly go: true; readonly by: 'form' | 'token' | 'page' | 'card' }
  | { readonly go: false; readonly answer: ToolResult }
  | { readonly go: false; readonly ask: ReturnType<typeof inputRequired> };
