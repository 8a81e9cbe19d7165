import { AuthenticationError, NotFoundError, PermissionError } from '../../../src/index.ts';
import type { Scope } from '../../../src/scopes.ts';
import type { Account } from '../../account/account.ts';
import { getProbeError, PROBES } from '../../doctor/probes.ts';
import { describeFailure } from '../../result/describe-failure.ts';
import { ToolError } from '../../tool-error.ts';

/** What the service says of a key: what it may read, or why it can't be used. */
export type KeyCheck =
  | {
      readonly isValid: true;
      readonly readableScopes: readonly Scope[];
      readonly deniedScopes: readonly Scope[];
    }
  | { readonly isValid: false; readonly message: string };

const REQUEST_OPTIONS = { timeoutMs: 8000, deadlineMs: 15_000, maxWaitMs: 10_000, retries: 0 };

/**
 * Asks the service with one read a group, of those named. A write can't be tried without writing. The first read tells
 * whether the key is one; the others then start together.
 */
export async function checkKey(account: Account, scopes: readonly Scope[]): Promise<KeyCheck> {
  const probes = PROBES.filter(({ scope }) => scopes.includes(scope));
  const [first = PROBES[0], ...others] = probes;
  try {
    const client = await account.client();
    const failures = [{ scope: first.scope, error: await getProbeError(client, first, REQUEST_OPTIONS) }];
    const [{ error }] = failures as [(typeof failures)[number]];
    const isAnswered =
      error === undefined || error instanceof NotFoundError || error instanceof PermissionError;
    if (!isAnswered) return { isValid: false, message: getErrorMessage(error, account) };
    const rest = await Promise.all(
      others.map(async (probe) => ({
        scope: probe.scope,
        error: await getProbeError(client, probe, REQUEST_OPTIONS),
      })),
    );
    failures.push(...rest);
    const unauthorized = failures.find((one) => one.error instanceof AuthenticationError);
    if (unauthorized) return { isValid: false, message: getErrorMessage(unauthorized.error, account) };
    return {
      isValid: true,
      readableScopes: failures
        .filter((one) => one.error === undefined || one.error instanceof NotFoundError)
        .map(({ scope }) => scope),
      deniedScopes: failures.filter((one) => one.error instanceof PermissionError).map(({ scope }) => scope),
    };
  } catch (error) {
    return { isValid: false, message: getErrorMessage(error, account) };
  }
}

function getErrorMessage(error: unknown, { secrets }: Account): string {
  if (error instanceof AuthenticationError)
    return 'The service does not take this key. Copy it again from Settings → API keys; it may also have been revoked.';
  if (error instanceof ToolError && error.code !== 'bad_settings')
    return 'This server is not set up: whoever runs it has to set DOCSHARE_BASE_URL.';
  return String(describeFailure(error, { secrets })['message']);
}
