/**
 * Before each file. Files share a worker, and the runner takes back what a test has stubbed only as the next test begins:
 * what a file does before its first test (`beforeAll`, imports) met the environment of another file's last test.
 */
import { afterAll, vi } from 'vitest';

const worker: { environment?: NodeJS.ProcessEnv } = globalThis as typeof globalThis & {
  environment?: NodeJS.ProcessEnv;
};
worker.environment ??= { ...process.env };
const known = worker.environment;
const names = new Set([...Object.keys(known), ...Object.keys(process.env)]);
// The runner sets its own from file to file, and Zapier's platform where its log goes.
const left = [...names].filter((name) => !/^VITEST|^LOGGING_ENDPOINT$/.test(name) && known[name] !== process.env[name]);
if (left.length > 0) throw new Error(`A file before this one left the environment changed: ${left.join(' ')}`);

afterAll(() => {
  vi.unstubAllEnvs();
});
