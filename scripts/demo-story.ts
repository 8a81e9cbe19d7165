/** Tells the demo step by step: what was asked, what came back, how long it took. */
export interface Story {
  step<Result>(
    title: string,
    asked: string,
    act: (told: (line: string) => void) => Promise<Result>,
  ): Promise<Result>;
  chapter(title: string): void;
  end(): void;
}

/** The step that ended the story, in words for the person who reads it. */
export class StoryError extends Error {}

export function createStory(print: (line: string) => void): Story {
  const startedAt = performance.now();
  let steps = 0;
  return {
    chapter: (title) => print(`\n${title}\n${'─'.repeat(title.length)}`),
    async step(title, asked, act) {
      steps += 1;
      print(`\n${String(steps).padStart(2)}. ${title}`);
      print(`    asked  ${asked}`);
      const began = performance.now();
      const lines: string[] = [];
      try {
        const result = await act((line) => lines.push(line));
        const took = `${Math.round(performance.now() - began)} ms`;
        const [first = 'done', ...rest] = lines;
        print(`    came   ${first}  (${took})`);
        for (const line of rest) print(`           ${line}`);
        return result;
      } catch (error) {
        for (const line of lines) print(`    came   ${line}`);
        throw new StoryError(
          `Step ${steps}, "${title}", failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
    end: () =>
      print(`\nAll ${steps} steps went through in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`),
  };
}

/** Fails the step with a sentence where a claim does not hold. */
export function claim(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
