import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ElicitationOutcome } from './outcome.ts';
import type { TokenBinding } from './token.ts';

/** Where a person is asked on a page of this server, because the host shows no form; a hosted server has one. */
export interface ConfirmationPage {
  /** Whether the host of this request says that it opens addresses for a person. */
  supportsUrlElicitation(mcp: ServerContext): boolean;
  /** The question that stands about exactly this call, else a new one. */
  openQuestion(request: PageConfirmationRequest): Promise<PageQuestion>;
}

export interface PageConfirmationRequest {
  readonly binding: TokenBinding;
  readonly idempotencyKey: string;
  /** What a question that is asked now belongs to; see `nonces.ts`. */
  readonly getConfirmationNonce: () => Promise<string>;
  /** What its page shows; asked for only where the question is new. */
  readonly getDetails: () => Promise<ConfirmationDetails>;
}

/** What a page shows, whole: a person who agrees has seen all of it. */
export interface ConfirmationDetails {
  /** Our own sentences. */
  readonly summary: string;
  readonly args: JsonObject;
  /** What the service says about the object. */
  readonly about: JsonObject | undefined;
}

/** A question to a person, the same at all servers that share the state. */
export interface PageQuestion {
  readonly url: string;
  /** What was shown, where this call asked it. */
  readonly newDetails: ConfirmationDetails | undefined;
  readonly secondsLeft: number;
  /** What it belonged to when it was asked. */
  readonly confirmationNonce: string;
  /** What the person said, within the time given; `silent` where nothing yet. */
  waitForOutcome(options: { waitMs: number; signal: AbortSignal }): Promise<ElicitationOutcome>;
  /** Notes what was said elsewhere than on the page; a word that was given before stands. */
  recordOutcome(outcome: 'yes' | 'no'): Promise<'yes' | 'no'>;
  /** Takes the yes for one act, atomically among all servers; false where another call took it. */
  consume(): Promise<boolean>;
}
