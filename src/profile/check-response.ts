import { toBaseMediaType } from '../media-type.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from './active-profile.ts';
import { findTypeMismatches } from './check-schema.ts';

/** A 2xx answer, as far as a profile speaks of it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Whether there was a body. */
  readonly hasBody: boolean;
  /** Unset where the body is no JSON, or another fact about its shape is already told of. */
  readonly body?: unknown;
}

/** Tells of what an answer has other than it was learned: its status, its media type, the type of a field. */
export function checkResponse(
  activeProfile: ActiveProfile,
  operation: OperationName,
  received: ReceivedResponse,
): void {
  const { answer: responseShape } = activeProfile.getOperation(operation) ?? {};
  // What was only concluded from other operations was never seen.
  if (!responseShape || responseShape.seen === 0) return;
  const factPath = `operations.${operation}.answer`;
  const check = (part: string, [expected, actual]: readonly [string, string]) => {
    const fact = `${factPath}.${part}`;
    if (expected !== actual)
      activeProfile.contradict({ operation, fact, expected: expected, actual: actual });
  };
  check('status', [`${responseShape.status}`, `${received.status}`]);
  const expected = responseShape.media?.toLowerCase() ?? NO_BODY_LABEL;
  const media = received.hasBody ? parseMediaType(received.contentType) : NO_BODY_LABEL;
  // A vendor's own name is learned as what it is read as.
  check('media', [
    expected,
    VENDOR_MEDIA_TYPE.test(media) && toBaseMediaType(media) === expected ? expected : media,
  ]);
  if (responseShape.body === undefined || received.body === undefined) return;
  for (const difference of findTypeMismatches(responseShape.body, received.body)) {
    const fact = difference.at === '' ? `${factPath}.body` : `${factPath}.body.${difference.at}`;
    activeProfile.contradict({ operation, fact, expected: difference.expected, actual: difference.actual });
  }
}

const NO_BODY_LABEL = 'no body';
const VENDOR_MEDIA_TYPE = /\/(?:vnd\.(?!api\+)|prs\.|x[.-])/;

function parseMediaType(contentType = ''): string {
  const media = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // As it may stand in a log: what looks like no media type is not repeated.
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(media) ? media : 'no media type';
}
