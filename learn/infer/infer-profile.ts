import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile, ServiceFacts, ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { getObjectCandidates } from '../../src/response/unwrap-envelope.ts';
import { version } from '../../src/version.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { findPathToValue, type JsonPath } from '../probes/json-path.ts';
import type { ProbeContext } from '../probes/probe-context.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { inferDownload } from './infer-download.ts';
import { inferConventions, inferLimitFromHeaders, inferRequestIdHeader } from './infer-facts.ts';
import { inferLists, mergeLists } from './infer-lists.ts';
import { inferRejections, inferScopes } from './infer-rejections.ts';
import { inferResources } from './infer-resources.ts';
import { removeUserDefinedNames } from './remove-user-defined-names.ts';
import { mergeResponseShapes, toResponseShape } from './response-shape.ts';
import { createServiceNamePredicate, restrictToServiceNames } from './service-names.ts';

/** Input besides the responses. */
interface InferenceInput {
  readonly mode: 'read' | 'write';
  readonly learnedAt: Date;
  readonly facts: ServiceFacts;
  readonly requestSchemas: Partial<Record<OperationName, Schema>>;
  /** Keeps every name that is written like a field name. */
  readonly keepNames?: boolean | undefined;
}

/** Infers the profile from the responses. Facts of the previous profile remain if this run observed nothing else. */
export function inferProfile(context: ProbeContext, input: InferenceInput) {
  const { session, previousProfile } = context;
  const { mode, learnedAt, facts, requestSchemas, keepNames = false } = input;
  const { responses } = session;
  const { origin } = new URL(session.client.baseUrl);
  const lists = inferLists(context);
  const operationProfiles: Partial<Record<OperationName, OperationProfile>> = {};
  for (const named of operations) {
    const seen = responses.filter(({ request: { operation, expected }, ok, status }) => {
      const isRedirectedFile = named.operation.responseKind === 'file' && status < 400;
      const isUsual = expected === undefined || expected === 'page';
      return operation === named.name && isUsual && (ok || isRedirectedFile);
    });
    const before = previousProfile?.operations[named.name];
    const now = inferOperationProfile(named, seen);
    const list = mergeLists(before?.list, lists.get(named.name));
    const merged = mergeOperationProfiles(before, now);
    const requestSchema = requestSchemas[named.name];
    if (merged || list) operationProfiles[named.name] = omitUndefined({ ...merged, list, requestBody: requestSchema });
  }
  const cleaned: ServiceProfile['operations'] = removeUserDefinedNames(operationProfiles);
  const resources = { ...previousProfile?.resources, ...inferResources(cleaned) };
  const limit = inferLimitFromHeaders(responses);
  const scopes = inferScopes(responses);
  const rejections = inferRejections(responses);
  const granted = new Set([...(previousProfile?.scopes.granted ?? []), ...scopes.granted]);
  const missing = [...new Set([...(previousProfile?.scopes.missing ?? []), ...scopes.missing])].filter(
    (one) => !granted.has(one),
  );
  const profile: ServiceProfile = {
    docshareProfile: 1,
    service: session.client.baseUrl,
    learned: omitUndefined({
      at: learnedAt.toISOString(),
      by: `docshare/${version}`,
      calls: (previousProfile?.learned.calls ?? 0) + session.recorder.calls,
      mode: previousProfile?.learned.mode === 'write' ? ('write' as const) : mode,
      names: keepNames ? ('kept' as const) : undefined,
    }),
    scopes: { granted: [...granted], missing },
    facts: {
      ...previousProfile?.facts,
      ...inferConventions(resources),
      ...omitUndefined({
        download: inferDownload(findFileResponse(responses), origin),
        requestId: inferRequestIdHeader(responses),
        limit: limit && { ...previousProfile?.facts.limit, ...limit },
      }),
      ...facts,
    },
    operations: cleaned,
    resources,
    rejections: { ...previousProfile?.rejections, ...rejections },
  };
  const isServiceName = createServiceNamePredicate(profile, keepNames);
  return { profile: restrictToServiceNames(profile, isServiceName), isServiceName };
}

function findFileResponse(responses: readonly RecordedResponse[]): RecordedResponse | undefined {
  return responses.find(
    ({ request, ok, status }) => request.operation === 'agreements.document' && (ok || (status >= 300 && status < 400)),
  );
}

function inferOperationProfile(named: NamedOperation, seen: readonly RecordedResponse[]): OperationProfile | undefined {
  const [first] = seen;
  if (!first) return undefined;
  const response = seen.map(toResponseShape).reduce(mergeResponseShapes);
  const item = named.operation.responseKind === 'item' ? findItemPath(named, first) : undefined;
  return { response, ...(item ? { item: [...item] } : {}) };
}

/** Finds the path of the single object in a response. */
function findItemPath(named: NamedOperation, { json }: RecordedResponse): JsonPath | undefined {
  if (!isObject(json) && !Array.isArray(json)) return undefined;
  for (const reading of getObjectCandidates(json, named.group)) {
    if (!named.operation.output.safeParse(reading).success && reading !== json) continue;
    return findPathToValue(json, reading) ?? [];
  }
  return [];
}

function mergeOperationProfiles(
  previous: OperationProfile | undefined,
  current: OperationProfile | undefined,
): OperationProfile | undefined {
  if (!previous?.response || !current?.response) return current ?? previous;
  return { ...previous, ...current, response: mergeResponseShapes(current.response, previous.response) };
}
