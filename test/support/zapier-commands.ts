/** Runs commands of Zapier's CLI one after the other in one process, because its start takes most of the time. */
import { createRequire } from 'node:module';

const own = createRequire(new URL('../../zapier/package.json', import.meta.url));
const at = own.resolve('zapier-platform-cli/package.json');
const { run, flush } = createRequire(at)('@oclif/core');
const [commands = '[]'] = process.argv.slice(2);
for (const args of JSON.parse(commands) as string[][]) {
  await run(args, at);
  await flush();
  process.stdout.write('\0');
}
