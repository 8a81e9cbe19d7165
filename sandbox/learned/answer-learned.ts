import type { NamedOperation } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/profile-fields.ts';
import type { ResponseShape } from '../../src/profile/service-profile.ts';
import type { FileView } from '../handlers/handler.ts';
import { type ListResult, type ResourceView, toListResult } from '../handlers/view.ts';
import type { RateLimitResult } from '../http/limiter.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { Rejection } from '../refusal.ts';
import type { Service } from '../service.ts';
import { answerLearnedFile } from './answer-file.ts';
import { answerLearnedItem } from './answer-item.ts';
import { answerLearnedList } from './answer-list.ts';
import { answerLearnedRefusal, findRefusal } from './answer-refusal.ts';
import { dressHeaders } from './dress-headers.ts';
import { getItemPath, knownOf } from './kin-answer.ts';
import { pagesLikePreset } from './preset-page.ts';
import { sourceOf } from './source-of.ts';

/** What a handler gave, as the service answers it that was learned; undefined where nothing is known of the operation. */
export async function renderLearnedResult(
  service: Service,
  input: {
    named: NamedOperation;
    url: URL;
    result: ResourceView | ListResult | readonly ResourceView[] | FileView;
    shape: (view: ResourceView) => unknown;
  },
): Promise<HttpResponse | undefined> {
  const { serviceProfile, profile } = service;
  if (!serviceProfile) return undefined;
  const { named, url, shape } = input;
  const called = knownOf(serviceProfile, named);
  // `Handlers` ties the result's type to what the operation answers.
  switch (named.operation.responseKind) {
    case 'file':
      return answerLearnedFile(service, input.result as FileView, { serviceProfile, called });
    case 'item': {
      const view = input.result as ResourceView;
      return answerLearnedItem({
        called,
        place: called ? getItemPath(serviceProfile, called) : [],
        named,
        view,
        source: sourceOf(service, named.name, view),
      });
    }
    case 'list': {
      const resource = getResourceName(named.name);
      const entry = Object.hasOwn(serviceProfile.resources, resource)
        ? serviceProfile.resources[resource]
        : undefined;
      const { records, view } = toListResult(input.result as ListResult | readonly ResourceView[]);
      return answerLearnedList({
        called,
        name: named.name,
        views: records.map(view),
        url,
        profile,
        sourceOf: (view) => sourceOf(service, named.name, view),
        entry,
        shape,
        isPreset: pagesLikePreset(serviceProfile),
      });
    }
  }
}

/** A refusal in the learned form; undefined where none was seen. */
export function renderLearnedRejection(
  { serviceProfile, profile }: Pick<Service, 'serviceProfile' | 'profile'>,
  rejection: Rejection,
): HttpResponse | undefined {
  const found = serviceProfile && findRefusal(serviceProfile, rejection.reason);
  return found ? answerLearnedRefusal(rejection, found, profile) : undefined;
}

/** An answer with the headers that were learned of it; as it is where nothing was. */
export function addLearnedHeaders(
  reply: HttpResponse,
  { serviceProfile, clock }: Service,
  about: {
    named: NamedOperation | undefined;
    rejection: Rejection | undefined;
    rateLimit: RateLimitResult | undefined;
  },
): HttpResponse {
  const { named, rejection, rateLimit } = about;
  if (!serviceProfile) return reply;
  const found = rejection && findRefusal(serviceProfile, rejection.reason);
  const called = named && knownOf(serviceProfile, named);
  const answer = rejection ? found?.answer : called?.answer;
  if (!answer) return reply;
  // What says when to come back stands on a refusal that was never seen as well.
  const own =
    rejection?.reason === 'limited' && !found?.isOwn ? withNames(answer, Object.keys(reply.headers)) : answer;
  const onward = rejection ? undefined : called?.list?.next?.header?.toLowerCase();
  const seed = rejection?.reason ?? named?.name ?? '';
  return dressHeaders(reply, own, { serviceProfile, onward, rateLimit, now: clock.now(), seed });
}

function withNames(answer: ResponseShape, names: readonly string[]): ResponseShape {
  const form = { type: 'string' } as const;
  return {
    ...answer,
    headers: { ...answer.headers, ...Object.fromEntries(names.map((name) => [name, form])) },
  };
}
