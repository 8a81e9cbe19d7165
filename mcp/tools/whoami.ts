import { z } from 'zod';
import { RATE_LIMIT } from '../../src/assumptions/index.ts';
import { NotFoundError } from '../../src/errors.ts';
import type { OperationName } from '../../src/index.ts';
import { getOperation } from '../../src/operations/index.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { SCOPES } from '../../src/scopes.ts';
import { version } from '../../src/version.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { flag } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { callOperation } from './define-tools.ts';
import { LIST_OPERATIONS } from './find.ts';

/** The cheapest read of each group. */
const CHECK_OPERATIONS: readonly [OperationName, ...OperationName[]] = [
  ...LIST_OPERATIONS,
  'analytics.link',
  'webhooks.list',
  'billing.usage',
];
/** An id that does not exist: a key with the scope gets "not found". */
const UNKNOWN_ID = 'docshare-whoami-none';

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description:
    "Shows the connected service, the API key's fingerprint and known scopes, and the remaining rate limit. Sends no request unless check is true.",
  operations: CHECK_OPERATIONS,
  spans: 'any',
  inputSchema: z.strictObject({
    check: flag('Test the key with one read request per group. Default: false.').optional(),
  }),
  outputSchema: {
    type: 'object',
    properties: { host: { type: 'string' }, scopes: { type: 'object' }, limit: { type: 'object' } },
  },
  async handler(context, { check = false }) {
    const { client, keyStatus, mode, fingerprint } = context;
    const failed = check ? await checkGroups(context) : {};
    const { granted, denied } = keyStatus.scopes();
    const unknown = SCOPES.filter((scope) => !granted.includes(scope) && !denied.includes(scope));
    const started = keyStatus.countRecentRequests();
    const headers = keyStatus.getRateLimitHeaders();
    return {
      data: {
        ...(keyStatus.host === undefined ? {} : { host: keyStatus.host }),
        key: fingerprint.slice(0, 12),
        version,
        scopes: { granted, denied, unknown },
        ...(Object.keys(failed).length > 0 ? { failed } : {}),
        limit: {
          per_minute: RATE_LIMIT.requests,
          started_last_minute: started,
          remaining: Math.max(0, RATE_LIMIT.requests - started),
          wait_s: Math.ceil(client.expectedWaitMs() / 1000),
          ...(Object.keys(headers).length > 0 ? { service_headers: headers } : {}),
        },
        mode: { read_only: mode.readOnly, sandbox: mode.sandbox, confirm: mode.confirm, groups: mode.readableGroups },
      },
      trustedFields: ['host', 'key'],
    };
  },
});

/** Reads every group of the toolset. Returns error codes of groups that failed for another reason than the scope. */
async function checkGroups({ client, options, mode }: ToolContext): Promise<JsonObject> {
  const failed: JsonObject = {};
  const limitedOptions = { ...options, deadlineMs: 15_000, maxWaitMs: 5000 };
  const checkedOperations = CHECK_OPERATIONS.filter((name) =>
    mode.readableGroups.some((group) => group === name.split('.')[0]),
  );
  await Promise.all(
    checkedOperations.map(async (name) => {
      const input = getOperation(name).route.includes('{') ? { id: UNKNOWN_ID } : {};
      try {
        await callOperation({ client, options: limitedOptions }, name, input);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        if (error instanceof NotFoundError && 'id' in input) return;
        const failure = describeFailure(error, {});
        failed[name.split('.')[0] ?? name] = isObject(failure) ? failure['code'] : 'failed';
      }
    }),
  );
  return failed;
}
