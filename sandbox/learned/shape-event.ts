import { generateSample } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceFacts } from '../../src/profile/service-profile.ts';
import { splitWords } from '../../src/split-words.ts';
import type { EmittedEvent } from '../events/shape.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { fillPlaces, type Put } from './fill-places.ts';
import { fillObject, type Source } from './fit.ts';

/** Last words of headers that name what happened. */
const KIND = new Set(splitWords('event topic type kind'));

type LearnedEvent = NonNullable<ServiceFacts['event']>;

/** An event in the learned form: what it is, when and about what stand where they were seen to. */
export function renderLearnedEvent(
  event: EmittedEvent,
  form: LearnedEvent,
  profile: SandboxProfile,
): unknown {
  const { id, kind, at, data } = event;
  const seed = `event ${id}`;
  const about: Source = { view: { ...data, happened_at: at, created_at: at }, seed, profile };
  const paths: readonly (readonly [readonly string[] | undefined, (at: Schema | undefined) => unknown])[] = [
    [form.kind, () => kind],
    [form.id, () => id],
    [
      form.time,
      (time) =>
        fillObject(
          { properties: { time_at: time ?? {} }, required: ['time_at'] },
          { ...about, view: { time_at: at } },
        )['time_at'],
    ],
    [
      form.data,
      (inner) => (inner?.properties ? fillObject(inner, { ...about, seed: `${seed} data` }) : data),
    ],
  ];
  const puts = paths.flatMap(([path, value]): Put[] => (path && path.length > 0 ? [{ path, value }] : []));
  // Where there is no place for what happened, it stands among the rest.
  const rest = form.data && form.data.length > 0 ? { ...about, view: { created_at: at } } : about;
  return fillPlaces(form.body, puts, rest);
}

/** The headers that were learned, with what is known of the event in those that are named after it. */
export function getLearnedEventHeaders(
  event: { id: string; kind: string; at: number },
  { headers }: LearnedEvent,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_REQUEST.test(name))
      .map(([name, form]) => [name, headerOf(name, form, event)]),
  );
}

const OF_THE_REQUEST = /^(?:content-type|content-length|user-agent|accept|host|connection)$/;
const TIME = /time|date|(?:^|-)at$/;

function headerOf(name: string, form: Schema, event: { id: string; kind: string; at: number }): string {
  const last = name.split('-').at(-1) ?? '';
  if (KIND.has(last)) return event.kind;
  if (/^(?:id|delivery)$/.test(last)) return event.id;
  if (TIME.test(name)) return String(Math.floor(event.at / 1000));
  const text = generateSample(form, { seed: `event ${event.id} ${name}`, name });
  return String(text)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
