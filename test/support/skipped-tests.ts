/** Lists the skipped tests at the end and how to run them, so that a run without Redis does not look complete. */
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { NO_REDIS } from './redis-server.ts';

/** A class, because the runner calls its methods by name. */
export class SkippedTests implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .map((module) => ({ path: module.relativeModuleId, count: [...module.children.allTests('skipped')].length }))
      .filter(({ count }) => count > 0);
    if (skipped.length === 0 || this.#isFiltered) return;
    const needsRedis = skipped.filter(({ path }) => /redis|hosted-killed/.test(path));
    console.log('Skipped tests:');
    for (const { path, count } of skipped) console.log(`  ${count} in ${path}`);
    if (needsRedis.length > 0) console.log(`  Redis tests: ${NO_REDIS}`);
    if (needsRedis.length < skipped.length) console.log('  Others: run on Linux, where their system calls exist.');
  }
}
