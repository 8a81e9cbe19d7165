import { generateSample } from '../../../src/profile/generate-sample.ts';
import { getSchemaAt } from '../../../src/profile/profile-fields.ts';
import type { ServiceFacts } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import type { EmittedEvent } from '../render-event.ts';
import { toHeaderValue } from './learned-headers.ts';
import { formatLearnedTime, renderLearnedObject, wrapInEnvelope } from './learned-object.ts';

type LearnedEvent = NonNullable<ServiceFacts['event']>;

/** Renders an event in the learned form: kind, id and time by their learned names, data at the learned path. */
export function renderLearnedEvent(event: EmittedEvent, form: LearnedEvent, profile: SandboxProfile): unknown {
  const { id, kind, at, data } = event;
  const named = (path: readonly string[] | undefined, value: unknown) =>
    path?.length ? { [path.at(-1) ?? '']: value } : {};
  const time = formatLearnedTime(getSchemaAt(form.body, form.time ?? []) ?? {}, at, profile);
  const view = { created_at: at, ...named(form.kind, kind), ...named(form.id, id), ...named(form.time, time) };
  const source = { seed: `event ${id}`, profile };
  const inner = getSchemaAt(form.body, form.data ?? []);
  const path = form.data ?? [];
  if (path.length === 0) return renderLearnedObject(form.body, { ...source, view: { ...data, ...view } });
  const value = inner?.properties ? renderLearnedObject(inner, { ...source, view: { ...data, created_at: at } }) : data;
  return wrapInEnvelope(form.body, path, value, { ...source, view });
}

const OF_THE_REQUEST = /^(?:content-type|content-length|user-agent|accept|host|connection)$/;

/** Returns the learned headers; those named after the event contain its kind, id and time. */
export function getLearnedEventHeaders(
  { id, kind, at }: { id: string; kind: string; at: number },
  { headers }: LearnedEvent,
): Record<string, string> {
  const headerValue = (name: string) => {
    if (/(?:event|topic|type|kind)$/.test(name)) return kind;
    if (/(?:^|-)(?:id|delivery)$/.test(name)) return id;
    if (/time|date|(?:^|-)at$/.test(name)) return String(Math.floor(at / 1000));
    return toHeaderValue(generateSample(headers[name] ?? {}, { seed: `event ${id} ${name}`, name }));
  };
  const names = Object.keys(headers).filter((name) => !OF_THE_REQUEST.test(name));
  return Object.fromEntries(names.map((name) => [name, headerValue(name)]));
}
