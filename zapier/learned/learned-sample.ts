import type { PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { idOf, isObject, type JsonObject } from '../platform/core.ts';
import { forms } from './forms.ts';

/**
 * A sample in the form that was learned, read as a live answer is. `sample` where nothing was learned of the operation; a
 * field that the service does not have is empty, as it will be in a Zap.
 */
export function learnedSample<Sample extends JsonObject>(
  operation: OperationName,
  { sample, read, resource }: { sample: Sample; read: (raw: JsonObject) => JsonObject; resource?: string },
): Sample {
  const raw = forms?.records[operation]?.sample;
  // Zaps tell records apart by their id: one without it would be none.
  if (!raw || (resource !== undefined && idOf(raw, resource) === undefined)) return sample;
  return { ...sample, ...read(raw) };
}

/** The fields of the original record, labelled and typed as they were learned. */
export function learnedOutputs(operation: OperationName): readonly PlainOutputField[] {
  return forms?.records[operation]?.outputs ?? [];
}

/** The fields of the original event. */
export function learnedEventOutputs(): readonly PlainOutputField[] {
  return forms?.event?.outputs ?? [];
}

/** A sample whose original event has the form that was delivered. */
export function learnedEvent<Sample extends JsonObject>(sample: Sample, kind: string): Sample {
  const { event } = forms ?? {};
  return event ? { ...sample, raw: withKind(event.sample, event.kind, kind) } : sample;
}

function withKind(raw: unknown, [name, ...rest]: readonly string[], kind: string): unknown {
  if (name === undefined) return kind;
  return isObject(raw) && Object.hasOwn(raw, name)
    ? { ...raw, [name]: withKind(raw[name], rest, kind) }
    : raw;
}
