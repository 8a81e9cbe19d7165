import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the two commands are at the top of the README, word for word', async () => {
  const top = (await readFile(join(root, 'README.md'), 'utf8')).split('\n').slice(0, 22);
  expect(top).toContain('npm ci && npm run demo');
  expect(top).toContain('npm ci && npm test');
});
