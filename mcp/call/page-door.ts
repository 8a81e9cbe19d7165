import type { ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { Binding } from './confirm-token.ts';
import type { Word } from './word.ts';

/** Where a person is asked on a page of this server, because the host shows no form; a hosted server has one. */
export interface PageDoor {
  /** Whether the host of this request says that it opens addresses for a person. */
  opensAddresses(mcp: ServerContext): boolean;
  /** The question that stands about exactly this call, else a new one. */
  question(asked: PageAct): Promise<PageQuestion>;
}

export interface PageAct {
  readonly binding: Binding;
  readonly deed: string;
  /** What a question that is asked now belongs to; see `rounds.ts`. */
  readonly round: () => Promise<string>;
  /** What its page shows; asked for only where the question is new. */
  readonly show: () => Promise<Shown>;
}

/** What a page shows, whole: a person who agrees has seen all of it. */
export interface Shown {
  /** Our own sentences. */
  readonly will: string;
  readonly args: JsonObject;
  /** What the service says about the object. */
  readonly about: JsonObject | undefined;
}

/** A question to a person, the same at all servers that share the state. */
export interface PageQuestion {
  readonly url: string;
  /** What was shown, where this call asked it. */
  readonly asked: Shown | undefined;
  readonly secondsLeft: number;
  /** What it belonged to when it was asked. */
  readonly round: string;
  /** What the person said, within the time given; `silent` where nothing yet. */
  word(options: { waitMs: number; signal: AbortSignal }): Promise<Word>;
  /** Notes what was said elsewhere than on the page; a word that was given before stands. */
  settle(word: 'yes' | 'no'): Promise<'yes' | 'no'>;
  /** Takes the yes for one act, atomically among all servers; false where another call took it. */
  spend(): Promise<boolean>;
}
