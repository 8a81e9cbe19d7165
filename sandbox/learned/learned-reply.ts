import type { ResponseShape } from '../../src/profile/service-profile.ts';
import type { HttpResponse } from '../http/reply.ts';

/** Answers that never have a body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** An answer with the status and type that were learned; `value` where its body is JSON. */
export function learnedReply(answer: ResponseShape, value: () => unknown, text = 'OK'): HttpResponse {
  const { status, media } = answer;
  const type = answer.contentType ?? media;
  if (media === null || WITHOUT_BODY.has(status)) return { status, headers: {}, body: null };
  const body = answer.body ? JSON.stringify(value()) : media.startsWith('text/') ? text : '';
  return { status, headers: type === null ? {} : { 'content-type': type }, body };
}
