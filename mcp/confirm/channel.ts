import type { ServerContext } from '@modelcontextprotocol/server';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { ConfirmationPage, UrlElicitation } from './confirmation-page.ts';
import type { AnswerOutcome } from './outcome.ts';

/** The host's connection (stdio) or request (HTTP), with what it can show. */
export interface HostConnection {
  /** Equal for all calls of one connection, or of one host under one key. */
  getId(mcp: ServerContext): string;
  /** Name that the host gives itself; undefined if it gives none. */
  getAppName(mcp: ServerContext): string | undefined;
  readonly era: 'legacy' | 'modern';
  /** Returns whether the host declares that it shows forms. */
  supportsForms(mcp: ServerContext): boolean;
  readonly urlElicitation: UrlElicitation;
  /** Undefined if this server has no pages. */
  readonly confirmationPage?: ConfirmationPage | undefined;
}

/** The question did not reach a person this way; the next channel asks. */
export interface Unreached {
  readonly unreached: Extract<AnswerOutcome, 'not_shown' | 'too_fast'>;
  /** The channel was not tried, because it failed on this connection before. */
  readonly isSkipped?: boolean;
}

/** A way to ask a person. */
export interface ConfirmationChannel {
  /** @param isLastResort whether to try a channel that failed on this connection before */
  ask(
    call: ConfirmableCall,
    mcp: ServerContext,
    connection: HostConnection,
    isLastResort?: boolean,
  ): Promise<ConfirmationResult | Unreached>;
}
