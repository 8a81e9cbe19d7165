import type { inputRequired, ServerContext } from '@modelcontextprotocol/server';
import type { Approval } from '../tool/approval.ts';
import type { ActionDescription, ToolResult } from '../tool/tool.ts';
import type { ConfirmationPage } from './confirmation-page.ts';
import type { TokenBinding } from './token.ts';

/** The host's connection (stdio) or request (HTTP), with what it can show. */
export interface HostConnection {
  /** Equal for all calls of one connection, or of one host under one key. */
  readonly id: string;
  /** Name that the host gives itself; undefined if it gives none. */
  readonly appName: string | undefined;
  readonly era: 'legacy' | 'modern';
  /** True if the host declares that it shows forms. */
  readonly supportsForms: boolean;
  /** True if the host can show a page's URL to the user, without the model reading it. */
  readonly supportsUrls: boolean;
  /** Undefined if this server has no pages. */
  readonly confirmationPage?: ConfirmationPage | undefined;
}

export interface ConfirmableCall {
  readonly mcp: ServerContext;
  readonly connection: HostConnection;
  readonly binding: TokenBinding;
  /** Arguments with which a card repeats the call; those of `binding` lack signatures. */
  readonly args: TokenBinding['args'];
  /** Hash of the canonical call and the key: equal for all calls that do the same. */
  readonly idempotencyKey: string;
  /** Hashes of the effects: a decline holds for every call that shares one. */
  readonly effectKeys: readonly string[];
  /** See `PendingAction.coveringEffects`. */
  readonly coveringKeys: readonly string[];
  /** Owner of the budget that an approved action uses: the sign-in on a hosted server, otherwise the key. */
  readonly owner: string;
  /** See `PendingAction.isRoutine`. */
  readonly isRoutine: boolean;
  /** See `PendingAction.isHarmless`. */
  readonly isHarmless: boolean;
  /** Hash of a plan's exact arguments, key and sign-in: its approval continues no other call. See `PendingAction.isPlan`. */
  readonly planKey: string | undefined;
  readonly token: string | undefined;
  /**
   * Reads the affected object, when a question is asked and again after an approval: then it waits for the rate limit, so
   * that the approval is not lost.
   */
  readonly describe: (options?: { readonly isRecheck: boolean }) => Promise<ActionDescription>;
}

/** Either an approval, or what the call returns instead of acting. */
export type ConfirmationResult =
  | { readonly approved: true; readonly approvedBy: Approval; readonly steps?: Readonly<Record<string, string>> }
  | { readonly approved: false; readonly result: ToolResult }
  | { readonly approved: false; readonly inputRequired: ReturnType<typeof inputRequired> };
