import { resolve } from 'node:path';
import { CommandLineError } from './parse-command-line.ts';

export interface RunningSandbox {
  readonly url: string;
  /** URL of its pages. */
  readonly origin: string;
  readonly key: string;
  close(): Promise<void>;
}

/** @throws CommandLineError if the folder can't be used. */
export async function startSandbox(dataFolder?: string): Promise<RunningSandbox> {
  const { createSandbox } = await import('../../sandbox/index.ts');
  const sandbox = await createSandbox(dataFolder === undefined ? {} : { dataFolder: resolve(dataFolder) }).catch(
    (error: unknown) => {
      if (dataFolder === undefined || !(error instanceof Error)) throw error;
      throw new CommandLineError(`--data ${dataFolder}: ${error.message.split('\n')[0]}`);
    },
  );
  const { url, origin } = sandbox;
  return { url, origin, key: sandbox.key(), close: () => sandbox.close() };
}
