/** Runs programs one after the other in one process, each in its folder, because starting Node takes longer. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

export interface Program {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const [programs = '[]'] = process.argv.slice(2);
for (const { folder, env } of JSON.parse(programs) as Program[]) {
  process.chdir(folder);
  Object.assign(process.env, env);
  const fault = await import(pathToFileURL(join(folder, 'program.mts')).href).then(
    () => '',
    (error: unknown) => inspect(error),
  );
  process.stdout.write(`\0${fault}\0`);
}
