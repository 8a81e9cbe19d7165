import type { PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import { idOf, isObject, type JsonObject } from '../platform/client-core.ts';

/**
 * A sample in the form that was learned, read as a live answer is. `sample` where nothing was learned of the operation; a
 * field that the service does not have is empty, as it will be in a Zap.
 */
export function sampleFromProfile<Sample extends JsonObject>(
  operation: OperationName,
  {
    sample,
    toOutput,
    resource,
  }: { sample: Sample; toOutput: (raw: JsonObject) => JsonObject; resource?: string },
): Sample {
  const raw = appProfile?.records[operation]?.sample;
  // Zaps tell records apart by their id: one without it would be none.
  if (!raw || (resource !== undefined && idOf(raw, resource) === undefined)) return sample;
  return { ...sample, ...toOutput(raw) };
}

/** The fields of the original record, labelled and typed as they were learned. */
export function outputFieldsFromProfile(operation: OperationName): readonly PlainOutputField[] {
  return appProfile?.records[operation]?.outputs ?? [];
}

/** The fields of the original event. */
export function eventOutputFieldsFromProfile(): readonly PlainOutputField[] {
  return appProfile?.event?.outputs ?? [];
}

/** A sample whose original event has the form that was delivered. */
export function eventSampleFromProfile<Sample extends JsonObject>(sample: Sample, kind: string): Sample {
  const { event } = appProfile ?? {};
  return event ? { ...sample, raw: withEventKind(event.sample, event.kindPath, kind) } : sample;
}

function withEventKind(raw: unknown, [name, ...deeperPath]: readonly string[], kind: string): unknown {
  if (name === undefined) return kind;
  return isObject(raw) && Object.hasOwn(raw, name)
    ? { ...raw, [name]: withEventKind(raw[name], deeperPath, kind) }
    : raw;
}
