import type { OperationName } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { RejectionKind, ServiceFacts } from '../../src/profile/service-profile.ts';
import { inferSchema } from '../infer/infer-schema.ts';
import { mergeSchemas } from '../infer/merge-schemas.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { createProbeRequest, type ProbeContext } from '../probes/probe-context.ts';
import { BudgetExceededError } from '../probes/recorder.ts';
import type { RecordedResponse } from '../probes/session.ts';
import type { Topic } from '../questions/question.ts';
import type { CreatedResources } from './created-resources.ts';
import { existedBefore } from './existed-before.ts';
import { extractId, removeOne } from './remove.ts';

/** State that the write probes share. */
export interface WriteContext {
  readonly context: ProbeContext;
  readonly createdResources: CreatedResources;
  /** Resources that can be removed although the API document shows no DELETE. */
  readonly removableResources: readonly string[];
  /** Also creates objects that can't be removed. */
  readonly allowUnremovable: boolean;
  readonly facts: { -readonly [K in keyof ServiceFacts]: ServiceFacts[K] };
  /** Schema of the body that each operation accepted. */
  readonly requestSchemas: Partial<Record<OperationName, Schema>>;
}

export interface CreateRequest {
  readonly name: OperationName;
  readonly bodies: readonly object[];
  readonly topic?: Topic;
  /** True if the service may return an existing object, because nothing unique is sent. */
  readonly mayReturnExisting?: boolean;
  /** Path of the list that holds the object (default: the route of the operation). */
  readonly list?: string;
  readonly readId?: (response: RecordedResponse) => string | undefined;
  /** Meaning of a rejection. */
  readonly expected?: RejectionKind;
}

export interface ThrowawayObject {
  readonly id: string;
  readonly path: string;
  readonly response: RecordedResponse;
}

/** Calls to remove one object, and to search for it if the response was lost. */
const CALLS_RESERVED_PER_OBJECT = 2;

/** Sends each body in turn while the service rejects it with 400 or 422. Returns the body that was accepted. */
export async function tryBodies(
  { context, requestSchemas }: WriteContext,
  request: CreateRequest & { id?: string },
): Promise<{ response: RecordedResponse; body: Record<string, unknown> } | undefined> {
  const { name, id, topic = 'writes', expected } = request;
  const probe = omitUndefined({ ...createProbeRequest(name, id), topic, expected });
  for (const body of request.bodies.map((one): Record<string, unknown> => omitUndefined(one))) {
    const response = await context.session.sendRequest({ ...probe, body });
    if (!response) return undefined;
    if (response.ok) {
      const schema = inferSchema(body);
      const known = requestSchemas[name];
      requestSchemas[name] = known ? mergeSchemas(known, schema) : schema;
      return { response, body };
    }
    if (response.status !== 400 && response.status !== 422) return undefined;
  }
  return undefined;
}

/**
 * Creates a throwaway object from the first accepted body. The cleanup process knows of it before the request; an object whose ID is unknown is found by its name during cleanup.
 */
export async function createObject(
  writeContext: WriteContext,
  request: CreateRequest,
): Promise<ThrowawayObject | undefined> {
  const { list = createProbeRequest(request.name).route } = request;
  const create = async () => (await tryBodies(writeContext, request))?.response;
  return trackCreation(writeContext, list, create, request);
}

/** Tracks an object that `create` creates. */
export async function trackCreation(
  { context, createdResources }: WriteContext,
  listPath: string,
  create: () => Promise<RecordedResponse | undefined>,
  options: Pick<CreateRequest, 'readId' | 'mayReturnExisting'> & {
    /** False if the object has no name to find it by. */
    readonly canFindByName?: boolean;
  } = {},
): Promise<ThrowawayObject | undefined> {
  const { recorder, signal } = context.session;
  signal.throwIfAborted();
  if (recorder.remainingCalls <= CALLS_RESERVED_PER_OBJECT)
    throw new BudgetExceededError('The rest of the budget is reserved for removing objects.');
  recorder.reservedCalls += CALLS_RESERVED_PER_OBJECT;
  await createdResources.beforeCreate(listPath);
  const before = context.session.responses.length;
  const response = await create().catch(async (error: unknown) => {
    // The budget ended before anything was sent.
    if (context.session.responses.length === before && error instanceof BudgetExceededError)
      await createdResources.recordRejected(listPath);
    throw error;
  });
  const {
    readId = ({ json }) => extractId(json, listPath.slice(1)),
    mayReturnExisting = false,
    canFindByName = true,
  } = options;
  const id = response && readId(response);
  if (response && id !== undefined) {
    const path = `${listPath}/${encodeURIComponent(id)}`;
    // Never remove an object that existed before.
    if (existedBefore(context, { list: listPath, id, response, mayReturnExisting })) {
      await createdResources.recordPreexisting(path);
      context.skippedReasons.push(`${listPath}: create returned an existing object, which was left unchanged.`);
      return undefined;
    }
    await createdResources.recordCreated(path, listPath);
    return { id, path, response };
  }
  if (response) createdResources.recordMissingId(listPath, canFindByName);
  const attempts = context.session.responses.slice(before);
  const isRejected = attempts.length > 0 && !response && attempts.every(({ status }) => status >= 400 && status < 500);
  if (isRejected) {
    recorder.reservedCalls -= CALLS_RESERVED_PER_OBJECT;
    await createdResources.recordRejected(listPath);
  }
  return undefined;
}

/** Removes one object and records the response. */
export async function removeObject(
  { context, createdResources }: WriteContext,
  { path }: ThrowawayObject,
  operation?: OperationName,
): Promise<void> {
  const { session } = context;
  session.recorder.reservedCalls = Math.max(0, session.recorder.reservedCalls - CALLS_RESERVED_PER_OBJECT);
  const route = `/${path.split('/')[1]}/{id}`;
  const request = { method: 'DELETE', path, route, topic: 'writes', isCleanup: true } as const;
  const response = await session.sendRequest({ ...request, ...(operation ? { operation } : {}) });
  const isRemoved = response !== undefined && (response.ok || response.status === 404 || response.status === 410);
  if (isRemoved || (await removeOne(session.client, path))) await createdResources.recordRemoved(path);
}

/** Sends an invalid body to provoke an error; if the service accepts it, the object is removed. */
export async function provokeBodyError(writeContext: WriteContext, name: OperationName, body: object): Promise<void> {
  const { method, path } = createProbeRequest(name);
  const call = async () => {
    const request = { method, path, body, topic: 'errors', expected: 'badBody' } as const;
    const response = await writeContext.context.session.sendRequest(request);
    return response?.ok ? response : undefined;
  };
  const created = await trackCreation(writeContext, path, call, { canFindByName: false });
  if (created) await removeObject(writeContext, created);
}

export function canRemove({ removableResources, allowUnremovable }: WriteContext, group: string): boolean {
  return allowUnremovable || removableResources.includes(group);
}
