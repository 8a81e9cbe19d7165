/**
 * Completes `npm ci` before the tests. npm leaves out optional packages that need a newer Node than its own, but the tests
 * run on the Node that `npm ci` installed.
 */
import { runNpm } from './run-npm.ts';

try {
  // Loads the native packages.
  await import('vitest/node');
} catch {
  // Without scripts: those of the packages have run.
  runNpm(['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], { stdio: 'inherit' });
}
