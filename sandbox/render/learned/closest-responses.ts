import { type OperationName, operations } from '../../../src/operations/index.ts';
import type { Effect, Operation } from '../../../src/operations/operation.ts';
import { getValueTypes } from '../../../src/profile/generate-sample.ts';
import { getResponseItemSchema } from '../../../src/profile/profile-fields.ts';
import type { OperationProfile, ResponseShape, ServiceProfile } from '../../../src/profile/service-profile.ts';
import { DEFAULT_PROFILE } from '../../profile/switches.ts';
import { findMostFrequent } from '../../service-profile/find-most-frequent.ts';
import { normalizeName } from '../../service-profile/normalize-name.ts';
import { getExtraFields } from '../object-response.ts';
import type { Closest } from './closest-settings.ts';

interface Seen {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly operationProfile: OperationProfile;
  readonly response: ResponseShape;
}

/** Returns the settings that match the learned objects and writes (§2, §4). */
export function findClosestResponseSettings(serviceProfile: ServiceProfile): Closest {
  const seen = operations.flatMap(({ name, operation }): Seen[] => {
    const operationProfile = serviceProfile.operations[name];
    return operationProfile?.response
      ? [{ name, operation, operationProfile, response: operationProfile.response }]
      : [];
  });
  const getByEffect = (...effects: readonly Effect[]) =>
    seen.filter(({ operation }) => effects.includes(operation.effect));
  const free = getByEffect('create').filter(({ operation }) => operation.output.safeParse({}).success);
  const written = findMostFrequent(free.map(getWritten));
  const updated = findMostFrequent(getByEffect('update', 'send').map(getUpdated));
  const reads = getByEffect('read');
  return {
    item: getWrapping(reads),
    contentType: findMostFrequent(reads.map(({ response }) => response.contentType ?? response.media ?? undefined)),
    extras: getExtras(serviceProfile, seen),
    createStatus: findMostFrequent(getByEffect('create').map(getCreated)),
    createResponse: findMostFrequent(free.map(getCreatedBody)),
    updateResponse: written === 'object' || free.length === 0 ? updated : undefined,
    deleteResponse: findMostFrequent(getByEffect('delete').map(({ response }) => emptyOr(response, 'object-200'))),
    writeResponse: written,
  };
}

/** A promised field at the top level proves that reads are not wrapped. */
function getWrapping(reads: readonly Seen[]): string | undefined {
  const items = reads.filter(({ operation, response }) => operation.responseKind === 'item' && response.body);
  const wrapper = findMostFrequent(items.map(({ operationProfile }) => operationProfile.item?.at(-1)));
  if (wrapper === undefined) return items.length === 0 ? undefined : 'plain';
  return normalizeName(wrapper) === 'data' ? 'data' : 'named';
}

function getExtras(serviceProfile: ServiceProfile, seen: readonly Seen[]): string | undefined {
  const items = seen.flatMap(({ name }) => {
    const form = getResponseItemSchema(serviceProfile, name);
    return form?.properties ? [new Set(Object.keys(form.properties).map(normalizeName))] : [];
  });
  if (items.length === 0) return undefined;
  const has = (names: readonly string[]) => items.some((item) => names.every((name) => item.has(name)));
  const some = getExtraFields({ object: 'record' }, { ...DEFAULT_PROFILE, extras: 'some' });
  if (has(['revision', 'etag'])) return 'many';
  return has(Object.keys(some).map(normalizeName)) ? 'some' : 'none';
}

/** Returns the status of creations, unless their response is only an acknowledgment. */
function getCreated({ response }: Seen): string | undefined {
  return response.body && getValueTypes(response.body).includes('object') ? `${response.status}` : undefined;
}

function getCreatedBody({ response: { body } }: Seen): string | undefined {
  const isMinimal = (name: string) => /^(id|object|secret|signing_?secret)$/i.test(name);
  return body?.properties && (Object.keys(body.properties).every(isMinimal) ? 'id' : 'object');
}

function getUpdated({ response }: Seen): string | undefined {
  const names = Object.keys(response.body?.properties ?? {}).join();
  return names.toLowerCase() === 'ok' ? 'ok' : emptyOr(response, 'object');
}

function emptyOr({ status, body, media }: ResponseShape, filled: string): string | undefined {
  if (body) return filled;
  return media === null ? `empty-${status}` : undefined;
}

function getWritten({ response: { status, media, body } }: Seen): string | undefined {
  if (media?.startsWith('text/')) return status === 202 ? 'queued' : 'text';
  if (!body) return media === null ? 'empty' : 'cut';
  const types = getValueTypes(body);
  return types.includes('array') ? 'list' : types.includes('object') ? 'object' : 'scalar';
}
