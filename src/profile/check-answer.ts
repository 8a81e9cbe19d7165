import { plainMedia } from '../media-type.ts';
import type { OperationName } from '../operations/index.ts';
import { differences } from './check-form.ts';
import type { ActiveProfile } from './learned.ts';

/** A 2xx answer, as far as a profile speaks of it. */
export interface CameBack {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Whether there was a body. */
  readonly filled: boolean;
  /** Unset where the body is no JSON, or another fact about its shape is already told of. */
  readonly body?: unknown;
}

/** Tells of what an answer has other than it was learned: its status, its media type, the type of a field. */
export function checkAnswer(learned: ActiveProfile, operation: OperationName, came: CameBack): void {
  const { answer } = learned.about(operation) ?? {};
  // What was only concluded from other operations was never seen.
  if (!answer || answer.seen === 0) return;
  const place = `operations.${operation}.answer`;
  const check = (part: string, [known, seen]: readonly [string, string]) => {
    const fact = `${place}.${part}`;
    if (known !== seen) learned.contradict({ operation, fact, learned: known, came: seen });
  };
  check('status', [`${answer.status}`, `${came.status}`]);
  const known = answer.media?.toLowerCase() ?? NO_BODY;
  const media = came.filled ? parseMediaType(came.contentType) : NO_BODY;
  // A vendor's own name is learned as what it is read as.
  check('media', [known, VENDOR.test(media) && plainMedia(media) === known ? known : media]);
  if (answer.body === undefined || came.body === undefined) return;
  for (const difference of differences(answer.body, came.body)) {
    const fact = difference.at === '' ? `${place}.body` : `${place}.body.${difference.at}`;
    learned.contradict({ operation, fact, learned: difference.learned, came: difference.came });
  }
}

const NO_BODY = 'no body';
const VENDOR = /\/(?:vnd\.(?!api\+)|prs\.|x[.-])/;

function parseMediaType(contentType = ''): string {
  const media = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // As it may stand in a log: what looks like no media type is not repeated.
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(media) ? media : 'no media type';
}
