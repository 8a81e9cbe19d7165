import type { JsonObject } from '../../src/records/fields.ts';
import type { ActionDescription } from '../tool/tool.ts';
import type { TokenBinding } from './token.ts';

/** Asks on a page in the user's browser, whatever the host can show. */
export interface ConfirmationPage {
  /** Returns the open question about exactly this call, or opens one. */
  openQuestion(request: PageConfirmationRequest): Promise<PageQuestion>;
  /** Returns whether the page has a decision about exactly this call. */
  isDecided(binding: TokenBinding): Promise<boolean>;
  /**
   * Opens a page that anyone with its URL could answer, on a local server, so that no result contains it. Returns false
   * if no browser can be opened. Undefined if the page itself verifies who answers: then the result contains its URL.
   */
  readonly openInBrowser?: (url: string) => Promise<boolean>;
  /** True if no browser has signed in: the page asks for a key that the user may not have. */
  readonly needsKey?: boolean;
}

export interface PageConfirmationRequest {
  readonly binding: TokenBinding;
  readonly idempotencyKey: string;
  readonly effectKeys: readonly string[];
  /** Name of the app that asks. */
  readonly appName?: string | undefined;
  /** See `Approvals.getNonce`. */
  readonly getConfirmationNonce: (details: ConfirmationDetails) => Promise<string>;
  /** Content of the page; only called for a new question. */
  readonly getDetails: () => Promise<ConfirmationDetails>;
}

/** Content of the page, never shortened. */
export interface ConfirmationDetails extends ActionDescription {
  readonly args: JsonObject;
}

export type PageDecision = 'accepted' | 'declined';

/** Question on a page, shared by all servers that share the state. */
export interface PageQuestion {
  readonly url: string;
  /** Set if this call opened the question. */
  readonly newDetails: ConfirmationDetails | undefined;
  readonly secondsLeft: number;
  /** Time since it was opened. */
  readonly ageMs: number;
  readonly confirmationNonce: string;
  /** Waits for the decision; `timed_out` if there is none in time. */
  waitForOutcome(options: { waitMs: number; signal: AbortSignal }): Promise<PageDecision | 'timed_out'>;
  /** Stores a decline made outside the page. Returns the first decision, which counts. */
  recordDecline(): Promise<PageDecision>;
  /** Removes a question that this call opened, because no page could be shown. */
  readonly withdraw?: () => Promise<void>;
  /** Uses the approval for one action, atomically among all servers; false if another call used it. */
  consume(): Promise<boolean>;
}
