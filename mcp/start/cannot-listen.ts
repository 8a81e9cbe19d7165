import { CommandLineError } from './command-line.ts';

/** What the system says of a host that is none of this machine's: there no port helps. */
const OF_THE_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

/** `given`: the options that named the place. */
export function cannotListen(given: string, code: string | undefined): CommandLineError {
  const next = OF_THE_HOST.includes(code ?? '')
    ? "Give an address of this machine's own by --host; 0.0.0.0 is all of them."
    : 'Choose another port; 0 picks a free one.';
  return new CommandLineError(`${given}: the server can't listen there (${code ?? 'unknown'}). ${next}`);
}
