/** Prints each step of the demo: request, result and duration. */
export interface DemoReporter {
  step<Result>(
    title: string,
    request: string,
    action: (log: (line: string) => void) => Promise<Result>,
  ): Promise<Result>;
  chapter(title: string): void;
  end(): void;
}

/** Describes the step that failed. */
export class DemoStepError extends Error {}

export function createDemoReporter(print: (line: string) => void): DemoReporter {
  const startedAt = performance.now();
  let steps = 0;
  return {
    chapter: (title) => print(`\n${title}\n${'─'.repeat(title.length)}`),
    async step(title, request, action) {
      steps += 1;
      print(`\n${String(steps).padStart(2)}. ${title}`);
      print(`    asked  ${request}`);
      const stepStartedAt = performance.now();
      const lines: string[] = [];
      try {
        const result = await action((line) => lines.push(line));
        const duration = `${Math.round(performance.now() - stepStartedAt)} ms`;
        const [first = 'done', ...others] = lines;
        print(`    came   ${first}  (${duration})`);
        for (const line of others) print(`           ${line}`);
        return result;
      } catch (error) {
        for (const line of lines) print(`    came   ${line}`);
        throw new DemoStepError(
          `Step ${steps}, "${title}", failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
    end: () => print(`\nAll ${steps} steps went through in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`),
  };
}

/** Fails the step with `message` if a claim is false. */
export function assertDemo(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
