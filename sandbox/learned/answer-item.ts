import type { NamedOperation } from '../../src/operations/index.ts';
import type { LearnedOperation } from '../../src/profile/format.ts';
import { valueTypes } from '../../src/profile/invent.ts';
import type { Schema } from '../../src/profile/schema.ts';
import type { View } from '../handlers/view.ts';
import type { Reply } from '../http/reply.ts';
import type { Profile } from '../profile/switches.ts';
import { fillPlaces } from './fill-places.ts';
import { fillObject, type Source } from './fit.ts';
import { learnedReply } from './learned-reply.ts';

/** A single object as the service answers it that was learned; undefined where nothing is known of the operation. */
export function answerLearnedItem(input: {
  called: LearnedOperation | undefined;
  named: NamedOperation;
  view: View;
  profile: Profile;
  /** Where the answer holds it. */
  place: readonly string[];
}): Reply | undefined {
  const { called, named, view, profile } = input;
  const answer = called?.answer;
  if (!answer) return undefined;
  const { effect } = named.operation;
  const seed = seedOf(view, named.name);
  const envelope = { view: envelopeOf(answer.status), seed: `${named.name} answer`, profile };
  return learnedReply(answer, () =>
    fillPlaces(
      answer.body,
      [
        {
          path: input.place,
          value: (form) =>
            fillItem(form, { view: { ...view, deleted: effect === 'delete' }, seed, profile }, answer.status),
        },
      ],
      envelope,
    ),
  );
}

/** Where the answer is no object, nothing of the view can stand in it. */
function fillItem(form: Schema | undefined, source: Source, status: number): unknown {
  const types = valueTypes(form ?? {});
  if (types.includes('array')) return [];
  if (types.length > 0 && !types.includes('object'))
    return types.includes('boolean') ? true : types.includes('string') ? 'OK' : 0;
  const { custom, ...view } = source.view as View;
  // What an answer says of itself may stand among the fields of the object.
  return fillObject(form ?? {}, { ...source, view: { ...envelopeOf(status), ...view }, custom });
}

/** What an answer may say of itself, besides what it holds. */
function envelopeOf(status: number): Readonly<Record<string, unknown>> {
  return { ok: true, success: true, code: status, error: null, errors: null };
}

export function seedOf(view: View, fallback: string): string {
  return `${view.object} ${view['id'] ?? view['page'] ?? view['link_id'] ?? view['room_id'] ?? fallback}`;
}
