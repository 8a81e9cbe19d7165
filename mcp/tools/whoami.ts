import { z } from 'zod';
import { RATE_LIMIT } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { SCOPES } from '../../src/scopes.ts';
import { version } from '../../src/version.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { flag } from '../tool/arguments.ts';
import { getProbeError, isExpectedNotFound, PROBES } from '../tool/probes.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';

const [firstProbe, ...otherProbes] = PROBES;

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description:
    "Shows the connected service, the API key's fingerprint and known scopes, and the remaining rate limit. Sends no request unless check is true.",
  operations: [firstProbe.name, ...otherProbes.map(({ name }) => name)],
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
        ...(mode.workspaces ? { workspaces: mode.workspaces } : {}),
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
      trustedFields: ['host', 'key', 'workspaces'],
    };
  },
});

/** Reads every group of the toolset. Returns error codes of groups that failed for another reason than the scope. */
async function checkGroups({ client, options, mode, keyStatus }: ToolContext): Promise<JsonObject> {
  const failed: JsonObject = {};
  // The key may have them now, and a write is not tested.
  for (const scope of keyStatus.scopes().denied) keyStatus.behaviorCache.set(scope, 'unknown');
  const limitedOptions = { ...options, deadlineMs: 15_000, maxWaitMs: 5000 };
  const probes = PROBES.filter(({ group }) => mode.readableGroups.includes(group));
  await Promise.all(
    probes.map(async (probe) => {
      const error = await getProbeError(client, probe, limitedOptions);
      if (options.signal?.aborted) throw options.signal.reason;
      if (error !== undefined && !isExpectedNotFound(probe, error)) failed[probe.group] = getFailureCode(error);
    }),
  );
  return failed;
}
