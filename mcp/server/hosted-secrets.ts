import { randomBytes } from 'node:crypto';
import { type Command, CommandLineError } from './parse-command-line.ts';

const MIN_SECRET_LENGTH = 32;

/**
 * Reads `DOCSHARE_SECRETS`: the first encrypts, all decrypt. Local trials get a random one.
 * @throws CommandLineError that says how to create one.
 */
export function readHostedSecrets(
  { sandbox, publicUrl }: Pick<Command, 'sandbox' | 'publicUrl'>,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const secrets = (env['DOCSHARE_SECRETS'] ?? '').split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.length === 0 && (sandbox || publicUrl === undefined))
    return [randomBytes(MIN_SECRET_LENGTH).toString('base64url')];
  if (secrets.length === 0)
    throw new CommandLineError(
      '--hosted needs DOCSHARE_SECRETS, which encrypts tokens. Set it to the output of `openssl rand -base64 32`, the same on all replicas.',
    );
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
    throw new CommandLineError(
      `DOCSHARE_SECRETS: each secret needs at least ${MIN_SECRET_LENGTH} characters. Create one with \`openssl rand -base64 32\`.`,
    );
  return secrets;
}
