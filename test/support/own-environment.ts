/** Before each file: Vitest resets stubs before a test, so code before it would see the last file's environment. */
import { afterAll, vi } from 'vitest';

const worker: { environment?: NodeJS.ProcessEnv } = globalThis as typeof globalThis & {
  environment?: NodeJS.ProcessEnv;
};
worker.environment ??= { ...process.env };
const known = worker.environment;
const names = new Set([...Object.keys(known), ...Object.keys(process.env)]);
// Vitest sets its variables for each file, and Zapier's platform sets the target of its log.
const left = [...names].filter((name) => !/^VITEST|^LOGGING_ENDPOINT$/.test(name) && known[name] !== process.env[name]);
if (left.length > 0) throw new Error(`A file before this one left the environment changed: ${left.join(' ')}`);

afterAll(() => vi.unstubAllEnvs());
