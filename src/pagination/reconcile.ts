import type { ActiveListProfile } from './active-list-profile.ts';
import type { LearnedWords } from './known-scheme.ts';
import type { Verdict, Way } from './next-page.ts';
import type { NextQuery } from './next-url.ts';

/**
 * The way on, by what the answer itself says (`usual`) and by what was learned. What the answer says is never left out:
 * it stands behind what was learned, so that a profile that no longer fits costs a request and ends nothing.
 */
export function chooseWay(
  usual: Verdict,
  { verdict: learned, words }: { verdict: Verdict; words: LearnedWords },
  facts: ActiveListProfile,
): Verdict {
  const { next } = facts;
  if (!next) return learned;
  if (!learned.way) {
    if (words.isLast || !usual.way?.said || learned.gap !== undefined) return learned;
    facts.doubt('next', 'an answer that goes on');
    return usual;
  }
  if (next.by === 'none') {
    if (learned.way.said) facts.doubt('next', 'an answer that goes on');
    return usual;
  }
  // What the answer says in a place of its own was not learned.
  if (!words.isPlaced) return { ...learned, way: usual.way ?? learned.way };
  return { ...learned, way: joinWays(usual, { ...learned.way, learned: true }, facts.isProven('next')) };
}

function joinWays({ way: usual, gap }: Verdict, learned: Way, proven: boolean): Way {
  // Without another way, only what has led on before can fail; unless the answer itself says that more exists.
  if (!usual) return { ...learned, said: (learned.said && proven) || gap !== undefined };
  // What has led on here needs no guesses behind it.
  if (proven && !usual.said) return learned;
  const others = (ways: readonly NextQuery[], than: readonly NextQuery[]) =>
    ways.filter((one) => !than.some((two) => same(one, two)));
  const before = others(learned.queries, usual.queries);
  if (usual.by !== learned.by) return { ...usual, ...(before.length > 0 ? { learned: true, before } : {}) };
  // Another field names the next place, under a usual name.
  const conflict =
    usual.by === 'cursor' &&
    !learned.queries.some((one) => usual.queries.some((other) => sharesValue(one, other)));
  if (conflict) return { ...usual, queries: [...usual.queries, ...before] };
  return { ...learned, ...usual, queries: [...learned.queries, ...others(usual.queries, learned.queries)] };
}

function sharesValue(one: NextQuery, other: NextQuery): boolean {
  const values = Object.values(other).map(String);
  return Object.values(one).some((value) => values.includes(String(value)));
}

function same(one: NextQuery, other: NextQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
