/** Runs every `tools/bench-*.ts` in its own process, one after another; fails if one fails. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../scripts/read-options.ts';

readOptions({});

const folder = fileURLToPath(new URL('.', import.meta.url));
for (const name of readdirSync(folder)
  .filter((file) => /^bench-.+\.ts$/.test(file))
  .sort()) {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [`${folder}${name}`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
