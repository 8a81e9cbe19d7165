import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export type Prompter = ReturnType<typeof createPrompter>;

type Terminal<Stream> = Stream & { readonly isTTY?: boolean };

/** Creates prompts for a person; they are interactive only if input and output are terminals. */
export function createPrompter(input: Terminal<NodeJS.ReadableStream>, output: Terminal<NodeJS.WritableStream>) {
  /** Returns the typed text, hidden if `secret`. */
  const ask = async (question: string, { secret = false } = {}) => {
    if (secret) output.write(question);
    const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: secret ? mutedOutput : output, terminal: input.isTTY === true });
    try {
      // Ctrl-D counts as an empty answer.
      const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
      return (await Promise.race([lines.question(secret ? '' : question), closed])).trim();
    } finally {
      lines.close();
      if (secret) output.write('\n');
    }
  };
  return {
    isInteractive: input.isTTY === true && output.isTTY === true,
    ask,
    confirm: async (question: string) => /^y(es)?$/i.test(await ask(`${question} [y/N] `)),
  };
}
