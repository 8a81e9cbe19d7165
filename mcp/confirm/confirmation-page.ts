import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ElicitationOutcome } from './outcome.ts';
import type { TokenBinding } from './token.ts';

/** Asks for confirmation on a page of a hosted server, if the host shows no forms. */
export interface ConfirmationPage {
  /** Returns whether the host of this request declares that it opens URLs for the user. */
  supportsUrlElicitation(mcp: ServerContext): boolean;
  /** Returns the open question about exactly this call, or opens one. */
  openQuestion(request: PageConfirmationRequest): Promise<PageQuestion>;
}

export interface PageConfirmationRequest {
  readonly binding: TokenBinding;
  readonly idempotencyKey: string;
  /** See `ConfirmationNonces.getCurrent`. */
  readonly getConfirmationNonce: () => Promise<string>;
  /** Content of the page; only called for a new question. */
  readonly getDetails: () => Promise<ConfirmationDetails>;
}

/** Content of the page, never shortened. */
export interface ConfirmationDetails {
  readonly summary: string;
  readonly args: JsonObject;
  /** The affected object, as the service returned it. */
  readonly about: JsonObject | undefined;
}

/** Question on a page, shared by all servers that share the state. */
export interface PageQuestion {
  readonly url: string;
  /** Set if this call opened the question. */
  readonly newDetails: ConfirmationDetails | undefined;
  readonly secondsLeft: number;
  readonly confirmationNonce: string;
  /** Waits for the decision; `silent` if there is none in time. */
  waitForOutcome(options: { waitMs: number; signal: AbortSignal }): Promise<ElicitationOutcome>;
  /** Stores a decision made outside the page. Returns the first decision, which counts. */
  recordOutcome(outcome: 'yes' | 'no'): Promise<'yes' | 'no'>;
  /** Uses the approval for one action, atomically among all servers; false if another call used it. */
  consume(): Promise<boolean>;
}
