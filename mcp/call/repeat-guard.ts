import type { ToolAnswer } from '../contract/tool.ts';

/** How long the same send is refused after the first. */
export const REPEAT_WINDOW_MS = 10 * 60_000;

interface Sent {
  readonly at: number;
  readonly answer: Promise<ToolAnswer>;
}

/** Remembers what was sent, so that a model that tries again does not send twice. */
export interface RepeatGuard {
  /** The first answer of the same call inside the window, and how long ago it was. */
  find(key: string): Promise<{ answer: ToolAnswer; secondsAgo: number } | undefined>;
  /** Runs the call and remembers it. Where the same one runs already, shares its end; a call that failed is forgotten. */
  run(key: string, act: () => Promise<ToolAnswer>): Promise<ToolAnswer>;
}

export function createRepeatGuard(options: { now?: () => number } = {}): RepeatGuard {
  const { now = Date.now } = options;
  const sent = new Map<string, Sent>();

  async function find(key: string) {
    const first = sent.get(key);
    if (!first || now() - first.at >= REPEAT_WINDOW_MS) return undefined;
    // Also of a call that still runs: two at once must not both send.
    const answer = await first.answer.catch(() => undefined);
    return answer && { answer, secondsAgo: Math.round((now() - first.at) / 1000) };
  }

  return {
    find,
    async run(key, act) {
      const first = sent.get(key);
      // No await before this line: of two calls at once, the second must see the first.
      if (first && now() - first.at < REPEAT_WINDOW_MS) {
        const secondsAgo = Math.round((now() - first.at) / 1000);
        return repeated({ answer: await first.answer, secondsAgo });
      }
      for (const [old, { at }] of sent) if (now() - at >= REPEAT_WINDOW_MS) sent.delete(old);
      const answer = act();
      sent.set(key, { at: now(), answer });
      answer.catch(() => sent.delete(key));
      return answer;
    },
  };
}

/** What a repeated send answers: the first one's data, and that nothing new happened. */
export function repeated(first: { answer: ToolAnswer; secondsAgo: number }): ToolAnswer {
  return {
    ...first.answer,
    data: {
      ...first.answer.data,
      repeated: true,
      message: `Refused as a repetition: the same was sent ${first.secondsAgo} s ago, and this is that answer. It can be sent again after ten minutes.`,
    },
    own: [...(first.answer.own ?? []), 'message'],
  };
}
