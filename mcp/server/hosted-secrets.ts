import { randomBytes } from 'node:crypto';
import { type Command, CommandLineError } from './parse-command-line.ts';

const MIN_SECRET_LENGTH = 32;

/**
 * `DOCSHARE_SECRETS`: the first seals, all open. Only a look on this machine does without, by one of its own.
 * @throws CommandLineError that says how to make one.
 */
export function readHostedSecrets(
  { sandbox, publicUrl }: Command,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const secrets = (env['DOCSHARE_SECRETS'] ?? '').split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.length === 0 && (sandbox || publicUrl === undefined))
    return [randomBytes(MIN_SECRET_LENGTH).toString('base64url')];
  if (secrets.length === 0)
    throw new CommandLineError(
      '--hosted needs DOCSHARE_SECRETS, which seals what signs people in: set it to the output of `openssl rand -base64 32`, the same for all replicas.',
    );
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
    throw new CommandLineError(
      `DOCSHARE_SECRETS: each secret has ${MIN_SECRET_LENGTH} characters at least; make one with \`openssl rand -base64 32\`.`,
    );
  return secrets;
}
