import type { PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import { idOf, isObject, type JsonObject } from '../platform/client-core.ts';

/** Sample from the profile, read like a live response; `sample` if the profile has none for the operation. */
export function getProfileSample<Sample extends JsonObject>(
  operation: OperationName,
  { sample, toOutput, resource }: { sample: Sample; toOutput: (raw: JsonObject) => JsonObject; resource?: string },
): Sample {
  const raw = appProfile?.records[operation]?.sample;
  if (!raw || (resource !== undefined && idOf(raw, resource) === undefined)) return sample;
  return { ...sample, ...toOutput(raw) };
}

/** Output of a step that reads records: its fields, the original record, and what the profile knows of it. */
export function createOutputWithProfile<Sample extends JsonObject>(
  operation: OperationName,
  { outputFields, ...spec }: { outputFields: PlainOutputField[] } & Parameters<typeof getProfileSample<Sample>>[1],
) {
  const original: PlainOutputField = { key: 'raw', label: 'Original Record' };
  return {
    outputFields: [...outputFields, original, ...getProfileOutputFields(operation)],
    sample: getProfileSample(operation, spec),
  };
}

/** Labelled and typed fields of the original record, from the profile. */
export function getProfileOutputFields(operation: OperationName): readonly PlainOutputField[] {
  return appProfile?.records[operation]?.outputs ?? [];
}

export function getProfileEventOutputFields(): readonly PlainOutputField[] {
  return appProfile?.event?.outputs ?? [];
}

/** Sample whose original event comes from the profile. */
export function createEventSample<Sample extends JsonObject>(sample: Sample, kind: string): Sample {
  const { event } = appProfile ?? {};
  return event ? { ...sample, raw: withEventKind(event.sample, event.kindPath, kind) } : sample;
}

function withEventKind(raw: unknown, [name, ...deeperPath]: readonly string[], kind: string): unknown {
  if (name === undefined) return kind;
  return isObject(raw) && Object.hasOwn(raw, name)
    ? { ...raw, [name]: withEventKind(raw[name], deeperPath, kind) }
    : raw;
}
