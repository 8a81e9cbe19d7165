import type { NamedOperation } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/fields.ts';
import type { ResponseShape } from '../../src/profile/format.ts';
import type { FileView } from '../handlers/handler.ts';
import { type Listing, toListResult, type View } from '../handlers/view.ts';
import type { LimitVerdict } from '../http/limiter.ts';
import type { Reply } from '../http/reply.ts';
import type { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { answerLearnedFile } from './answer-file.ts';
import { answerLearnedItem } from './answer-item.ts';
import { answerLearnedList } from './answer-list.ts';
import { answerLearnedRefusal, findRefusal } from './answer-refusal.ts';
import { dressHeaders } from './dress-headers.ts';
import { itemPlace, knownOf } from './kin-answer.ts';
import { pagesLikePreset } from './preset-page.ts';
import { sourceOf } from './source-of.ts';

/** What a handler gave, as the service answers it that was learned; undefined where nothing is known of the operation. */
export async function answerLearned(
  service: Service,
  input: {
    named: NamedOperation;
    url: URL;
    result: View | Listing | readonly View[] | FileView;
    shape: (view: View) => unknown;
  },
): Promise<Reply | undefined> {
  const { learned, profile } = service;
  if (!learned) return undefined;
  const { named, url, shape } = input;
  const called = knownOf(learned, named);
  // `Handlers` ties the result's type to what the operation answers.
  switch (named.operation.responseKind) {
    case 'file':
      return answerLearnedFile(service, input.result as FileView, { learned, called });
    case 'item': {
      const view = input.result as View;
      return answerLearnedItem({
        called,
        place: called ? itemPlace(learned, called) : [],
        named,
        view,
        source: sourceOf(service, named.name, view),
      });
    }
    case 'list': {
      const resource = getResourceName(named.name);
      const entry = Object.hasOwn(learned.resources, resource) ? learned.resources[resource] : undefined;
      const { records, view } = toListResult(input.result as Listing | readonly View[]);
      return answerLearnedList({
        called,
        name: named.name,
        views: records.map(view),
        url,
        profile,
        sourceOf: (view) => sourceOf(service, named.name, view),
        entry,
        shape,
        isPreset: pagesLikePreset(learned),
      });
    }
  }
}

/** A refusal in the learned form; undefined where none was seen. */
export function refuseLearned(
  { learned, profile }: Pick<Service, 'learned' | 'profile'>,
  refusal: Refusal,
): Reply | undefined {
  const found = learned && findRefusal(learned, refusal.reason);
  return found ? answerLearnedRefusal(refusal, found, profile) : undefined;
}

/** An answer with the headers that were learned of it; as it is where nothing was. */
export function dressLearned(
  reply: Reply,
  { learned, clock }: Service,
  about: {
    named: NamedOperation | undefined;
    refusal: Refusal | undefined;
    verdict: LimitVerdict | undefined;
  },
): Reply {
  const { named, refusal, verdict } = about;
  if (!learned) return reply;
  const found = refusal && findRefusal(learned, refusal.reason);
  const called = named && knownOf(learned, named);
  const answer = refusal ? found?.answer : called?.answer;
  if (!answer) return reply;
  // What says when to come back stands on a refusal that was never seen as well.
  const own =
    refusal?.reason === 'limited' && !found?.isOwn ? withNames(answer, Object.keys(reply.headers)) : answer;
  const onward = refusal ? undefined : called?.list?.next?.header?.toLowerCase();
  const seed = refusal?.reason ?? named?.name ?? '';
  return dressHeaders(reply, own, { learned, onward, verdict, now: clock.now(), seed });
}

function withNames(answer: ResponseShape, names: readonly string[]): ResponseShape {
  const form = { type: 'string' } as const;
  return {
    ...answer,
    headers: { ...answer.headers, ...Object.fromEntries(names.map((name) => [name, form])) },
  };
}
