import { resolve } from 'node:path';
import { CommandLineError } from './parse-command-line.ts';

/** Starts the sandbox; its pages are at `origin`. @throws CommandLineError if the folder can't be used. */
export async function startSandbox(dataFolder?: string) {
  const { createSandbox } = await import('../../sandbox/index.ts');
  const sandbox =
    dataFolder === undefined
      ? await createSandbox()
      : await createSandbox({ dataFolder: resolve(dataFolder) }).catch((error: Error) => {
          throw new CommandLineError(`--data ${dataFolder}: ${error.message.split('\n')[0]}`);
        });
  const { url, origin } = sandbox;
  return { url, origin, key: sandbox.key(), close: () => sandbox.close() };
}
