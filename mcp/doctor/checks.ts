import { RATE_LIMIT, REMAINING_HEADERS } from '../../src/assumptions/index.ts';
import {
  ApiError,
  AuthenticationError,
  createClient,
  createUndiciTransport,
  type Group,
  InputError,
  NotFoundError,
  PermissionError,
  readProfile,
  type ServiceProfile,
  type Transport,
  type TransportResponse,
} from '../../src/index.ts';
import { sanitizeForTerminal } from '../../src/sanitize-for-terminal.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { getProbeError, PROBES } from '../tool/probes.ts';
import { explainNetwork } from './network.ts';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown';
  readonly message: string;
}

export type DoctorResult = Awaited<ReturnType<typeof checkSettings>>;

const CLOCK_TOLERANCE_MS = 60_000;

const createCheck =
  (state: Check['state']) =>
  (name: string, message: string): Check => ({ name, state, message });
const ok = createCheck('ok');
const warning = createCheck('warning');
const failed = createCheck('failed');
const unknown = createCheck('unknown');

/** Checks settings with at most ten reads; changes nothing. */
export async function checkSettings(settings: {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  /** Path of the service's profile. */
  profile?: string | undefined;
}) {
  const { apiKey, baseUrl } = settings;
  const checks: Check[] = [];
  /** Read scopes that the key has; write scopes can't be tested without writing. */
  const readableScopes: Scope[] = [];
  /** Read scopes that the key lacks. */
  const deniedScopes: Scope[] = [];
  let calls = 0;
  let lastHeaders: Headers = {};
  const undici = createUndiciTransport();
  const transport: Transport = async (request) => {
    calls += 1;
    const response = await undici(request);
    lastHeaders = response.headers;
    return response;
  };
  const serviceProfile = settings.profile ? await loadProfile(settings.profile, { baseUrl, checks }) : undefined;
  const contradicted: string[] = [];
  const initialCheckCount = checks.length;
  try {
    const client = createClient({
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      transport,
      retry: { retries: 0 },
      timeoutMs: 10_000,
      deadlineMs: 15_000,
      profile: serviceProfile,
      hooks: { onContradiction: ({ fact }) => contradicted.push(fact) },
    });
    for (const probe of PROBES) {
      const { group, scope } = probe;
      const error = await getProbeError(client, probe);
      const answered = error === undefined || error instanceof NotFoundError;
      if (checks.length === initialCheckCount) {
        const connectionChecks = checkConnection(error, apiKey);
        checks.push(...connectionChecks);
        if (connectionChecks.some(({ state }) => state === 'failed')) break;
        checks.push(checkClock(lastHeaders));
      }
      if (answered) readableScopes.push(scope);
      else if (error instanceof PermissionError) deniedScopes.push(scope);
      checks.push(checkGroup(group, { scope, error, apiKey }));
      if (error !== undefined && !(error instanceof ApiError)) break;
    }
    if (checks.length > initialCheckCount + 2) checks.push(checkRateLimit(lastHeaders));
    if (serviceProfile) checks.push(checkProfile(serviceProfile, contradicted));
  } catch (error) {
    checks.push(failed('settings', getErrorMessage(error, apiKey)));
  } finally {
    await undici.close();
  }
  return { checks, readableScopes, deniedScopes, calls };
}

/** Loads the profile; an unusable file becomes a failed check. */
async function loadProfile(
  path: string,
  { baseUrl, checks }: { baseUrl: string | undefined; checks: Check[] },
): Promise<ServiceProfile | undefined> {
  try {
    return await readProfile(path, baseUrl && URL.canParse(baseUrl) ? baseUrl : undefined);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    checks.push(failed('profile', sanitizeForTerminal(`DOCSHARE_PROFILE: ${error.message}`)));
    return undefined;
  }
}

function checkProfile({ learned }: ServiceProfile, contradicted: readonly string[]): Check {
  const [fact] = contradicted;
  const others = contradicted.length > 1 ? ` and ${contradicted.length - 1} more` : '';
  return fact === undefined
    ? ok('profile', `The service matches its profile of ${learned.at.slice(0, 10)}.`)
    : warning(
        'profile',
        `The service no longer matches its profile (${fact}${others}). Everything still works; run \`docshare learn\` to update the profile.`,
      );
}

function getErrorMessage(error: unknown, apiKey: string | undefined): string {
  return String(describeFailure(error, { secrets: apiKey ? [apiKey] : [] })['message']);
}

function checkConnection(error: unknown, apiKey: string | undefined): Check[] {
  const address = ok('address', 'The service is reachable.');
  if (error === undefined || error instanceof PermissionError) return [address, ok('key', 'The key is accepted.')];
  const message = getErrorMessage(error, apiKey);
  if (error instanceof AuthenticationError) return [address, failed('key', message)];
  if (error instanceof ApiError && !(error instanceof NotFoundError)) return [address, unknown('key', message)];
  return [failed('address', explainNetwork(error, process.env) ?? message)];
}

function checkGroup(
  group: Group,
  { scope, error, apiKey }: { scope: Scope; error: unknown; apiKey: string | undefined },
): Check {
  if (error === undefined || error instanceof NotFoundError) return ok(group, `Readable (${scope}).`);
  if (error instanceof PermissionError) return warning(group, `The key lacks the scope ${scope}.`);
  return unknown(group, getErrorMessage(error, apiKey));
}

type Headers = TransportResponse['headers'];

/** A wrong clock breaks event signatures and signed URLs. */
function checkClock(headers: Headers): Check {
  const date = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(date)) return unknown('clock', 'The service does not send its time.');
  const differenceMs = Math.abs(Date.now() - date);
  return differenceMs <= CLOCK_TOLERANCE_MS
    ? ok('clock', 'This machine’s clock is correct.')
    : warning(
        'clock',
        `This machine’s clock differs from the service’s by ${Math.round(differenceMs / 1000)} s. Turn on network time.`,
      );
}

function checkRateLimit(headers: Headers): Check {
  const remaining = REMAINING_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  return remaining !== undefined && /^\d{1,9}$/.test(remaining)
    ? ok('limit', `${remaining} calls are left in the current window.`)
    : unknown(
        'limit',
        `The service does not report the remaining calls. This server makes at most ${RATE_LIMIT.requests} calls per minute.`,
      );
}

/**
 * Returns scopes for DOCSHARE_SCOPES: all but the denied ones, because write scopes can't be tested without writing.
 */
export function getUsableScopes({ deniedScopes }: DoctorResult): readonly Scope[] {
  return SCOPES.filter((scope) => !deniedScopes.includes(scope));
}
