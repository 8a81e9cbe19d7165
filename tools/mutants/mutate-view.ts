import type { Page } from 'playwright-core';

type Counts = Record<string, number>;

/** Stryker's state in the global scope: the mutant to run, or the mutants that each test ran. */
interface Stryker {
  readonly activeMutant?: string;
  readonly currentTestId?: string;
  readonly mutantCoverage?: { readonly static: Counts; readonly perTest: Record<string, Counts> };
}

const getStryker = () => (globalThis as typeof globalThis & { readonly __stryker__?: Stryker }).__stryker__;

/** True if Stryker runs the tests of this process. */
export const isMutating = getStryker() !== undefined;

/**
 * Runs the mutant of this test in each view that the page shows, too. @returns a function that adds the mutants that the
 * views ran to those of the test
 */
export async function mutateView(page: Page): Promise<() => Promise<void>> {
  const { mutantCoverage, ...state } = getStryker() ?? {};
  const testId = state.currentTestId;
  await page.addInitScript((own) => void Object.assign(globalThis, { __stryker__: own }), state);
  return async () => {
    if (!mutantCoverage || testId === undefined) return;
    const scopes = await Promise.all(page.frames().map((frame) => frame.evaluate(getStryker)));
    mutantCoverage.perTest[testId] ??= {};
    for (const scope of scopes) Object.assign(mutantCoverage.perTest[testId], scope?.mutantCoverage?.perTest[testId]);
  };
}
