import { text } from 'node:stream/consumers';
import { readHostedSecrets } from '../../server/hosted-secrets.ts';
import { CommandLineError } from '../../server/parse-command-line.ts';
import { createPrompter } from '../../setup/prompter.ts';
import { sealSecret } from './organization-file.ts';

/** Reads a key or secret from stdin, hidden on a terminal, and prints it encrypted with `DOCSHARE_SECRETS`. */
export async function runSealCommand(
  env: NodeJS.ProcessEnv,
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'> = process,
): Promise<void> {
  const secrets = readHostedSecrets({ sandbox: false, publicUrl: '' }, env);
  const { isInteractive, ask } = createPrompter(stdin, stderr);
  // The terminal would show the typed secret.
  if (stdin.isTTY && !isInteractive)
    throw new CommandLineError('seal asks on the terminal. Redirect only stdout, or pipe the secret into it.');
  const key = isInteractive ? await ask('Key or secret to seal: ', { secret: true }) : (await text(stdin)).trim();
  // Anyone may try guesses of a secret at the token endpoint.
  if (!/^\S{16,}$/.test(key)) throw new CommandLineError('seal reads one key or secret, of at least 16 characters.');
  process.stdout.write(`${await sealSecret(key, secrets)}\n`);
}
