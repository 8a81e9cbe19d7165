import { toBaseMediaType } from '../media-type.ts';
import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from './active-profile.ts';
import { findTypeMismatches } from './check-schema.ts';

/** A 2xx response, as far as a profile describes it. */
interface ReceivedResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly hasBody: boolean;
  /** Unset if the body is not JSON, or if a contradiction of its shape is already reported. */
  readonly body?: unknown;
}

/** Reports differences from the profile in status, media type and field types. */
export function checkResponse(
  activeProfile: ActiveProfile,
  operation: OperationName,
  received: ReceivedResponse,
): void {
  const { response: responseShape } = activeProfile.getOperation(operation) ?? {};
  // Inferred shapes were never observed.
  if (!responseShape || responseShape.seen === 0) return;
  const factPath = `operations.${operation}.response`;
  const check = (part: string, [expected, actual]: readonly [string, string]) => {
    if (expected !== actual) activeProfile.contradict({ operation, fact: `${factPath}.${part}`, expected, actual });
  };
  check('status', [`${responseShape.status}`, `${received.status}`]);
  const expected = responseShape.media?.toLowerCase() ?? NO_BODY_LABEL;
  const media = received.hasBody ? parseMediaType(received.contentType) : NO_BODY_LABEL;
  // The profile has the base type of a vendor's media type.
  check('media', [expected, VENDOR_MEDIA_TYPE.test(media) && toBaseMediaType(media) === expected ? expected : media]);
  if (responseShape.body === undefined || received.body === undefined) return;
  for (const { at, expected, actual } of findTypeMismatches(responseShape.body, received.body))
    check(at === '' ? 'body' : `body.${at}`, [expected, actual]);
}

const NO_BODY_LABEL = 'no body';
const VENDOR_MEDIA_TYPE = /\/(?:vnd\.(?!api\+)|prs\.|x[.-])/;

function parseMediaType(contentType = ''): string {
  const media = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // Goes into logs, so only text that looks like a media type is repeated.
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(media) ? media : 'no media type';
}
