import { AuthenticationError, NotFoundError, PermissionError } from '../../../src/index.ts';
import type { Scope } from '../../../src/scopes.ts';
import type { Account } from '../../account/account.ts';
import { describeFailure } from '../../result/describe-failure.ts';
import { getProbeError, PROBES, type Probe } from '../../tool/probes.ts';
import { ToolError } from '../../tool-error.ts';

/** Result of checking a key: the scopes that it lacks, or why it can't be used. */
type KeyCheck =
  | { readonly isValid: true; readonly deniedScopes: readonly Scope[] }
  | { readonly isValid: false; readonly message: string };

const REQUEST_OPTIONS = { timeoutMs: 8000, deadlineMs: 15_000, maxWaitMs: 10_000, retries: 0 };

/**
 * Checks a key with one read per group; writes can't be tested without writing. The first read shows whether
 * the key is valid, then the others run in parallel.
 */
export async function checkKey(account: Account, scopes: readonly Scope[]): Promise<KeyCheck> {
  const probes = PROBES.filter(({ scope }) => scopes.includes(scope));
  const [first = PROBES[0], ...others] = probes;
  try {
    const client = await account.client();
    const run = async (probe: Probe) => ({
      scope: probe.scope,
      error: await getProbeError(client, probe, REQUEST_OPTIONS),
    });
    const firstResult = await run(first);
    const { error } = firstResult;
    if (!isReadable(error) && !(error instanceof PermissionError))
      return { isValid: false, message: getErrorMessage(error, account) };
    const results = [firstResult, ...(await Promise.all(others.map(run)))];
    const unauthorized = results.find((result) => result.error instanceof AuthenticationError);
    // After a successful read, a 401 says something about one endpoint only.
    const isAnyReadable = results.some((result) => isReadable(result.error));
    if (unauthorized && !isAnyReadable)
      return { isValid: false, message: getErrorMessage(unauthorized.error, account) };
    const denied = results.filter(
      (result) => result.error instanceof PermissionError || result.error instanceof AuthenticationError,
    );
    return { isValid: true, deniedScopes: denied.map(({ scope }) => scope) };
  } catch (error) {
    return { isValid: false, message: getErrorMessage(error, account) };
  }
}

/** Returns whether the service rejects the key for the first read of the sign-in, too. */
export async function isKeyRejected(account: Account, scopes: readonly Scope[]): Promise<boolean> {
  const probe = PROBES.find(({ scope }) => scopes.includes(scope)) ?? PROBES[0];
  return (await getProbeError(await account.client(), probe, REQUEST_OPTIONS)) instanceof AuthenticationError;
}

function isReadable(error: unknown): boolean {
  return error === undefined || error instanceof NotFoundError;
}

function getErrorMessage(error: unknown, { secrets }: Account): string {
  if (error instanceof AuthenticationError)
    return 'This key isn’t valid. Copy it again from Settings → API keys; it may have been revoked.';
  if (error instanceof ToolError && error.code !== 'bad_settings')
    return 'This server is not configured. Its operator must set DOCSHARE_BASE_URL.';
  // Without the name of the operation, which means nothing to a person.
  return String(describeFailure(error, { secrets })['message']).replace(/^[a-z]+\.[a-zA-Z]+: /, '');
}
