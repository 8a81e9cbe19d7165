import type { ResponseShape, ServiceProfile } from '../../src/profile/format.ts';
import { answerRefusal } from '../http/error-answer.ts';
import { chooseProfile } from '../profile/choose-profile.ts';
import { type Profile, SWITCHES } from '../profile/switches.ts';
import { type Reason, Refusal } from '../refusal.ts';
import { type FormPaths, likeness, pathsOfSchema, pathsOfValue } from './form-paths.ts';
import { settingOf } from './setting-of.ts';

const BY_STATUS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'conflict'] as const;

/** The settings that say how the service refuses (§7), as far as it was seen to. */
export function nearestRefusals({ refusals }: ServiceProfile): Partial<Profile> {
  const statuses = BY_STATUS.map((reason) => {
    const seen = refusals[reason] ?? (reason === 'wrongKey' ? refusals.noKey : undefined);
    return settingOf(reason, seen?.status.toString());
  });
  return { ...Object.assign({}, ...statuses), ...settingOf('errors', errorsOf(refusals)) };
}

type Errors = Profile['errors'];

function errorsOf(refusals: ServiceProfile['refusals']): Errors | undefined {
  const seen = Object.entries(refusals).flatMap(([reason, answer]) =>
    answer === undefined ? [] : [{ reason: reason as keyof typeof refusals, answer }],
  );
  if (seen.length === 0) return undefined;
  const scores = SWITCHES.errors.settings.map((errors) => {
    const each = seen.map(({ reason, answer }) => scoreOf(answer, { errors, reason }));
    return { errors, score: each.reduce((sum, one) => sum + one, 0) / each.length };
  });
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score >= 0.4 ? best.errors : undefined;
}

function scoreOf(answer: ResponseShape, given: { errors: Errors; reason: string }): number {
  const { media, body } = answer;
  if (media !== null && /^text\/(plain|html)$/.test(media))
    return given.errors === (media.endsWith('html') ? 'html' : 'text') ? 1 : 0;
  if (!body || given.errors === 'html' || given.errors === 'text') return 0;
  const drawn = draw(given.errors, given.reason as Reason);
  const isMedia = media === null || drawn.media === media ? 0.1 : 0;
  return likeness(pathsOfSchema(body), drawn.paths) + isMedia;
}

const drawings = new Map<string, { paths: FormPaths; media: string }>();

/** What the sandbox itself answers for this reason. */
function draw(errors: Errors, reason: Reason) {
  const key = `${errors} ${reason}`;
  const known = drawings.get(key);
  if (known) return known;
  const details = reason === 'badBody' ? [{ field: '*', message: 'is required' }] : [];
  const { headers, body } = answerRefusal(new Refusal(reason, 'no', details), chooseProfile({ errors }));
  const drawn = { paths: pathsOfValue(JSON.parse(String(body))), media: headers['content-type'] ?? '' };
  drawings.set(key, drawn);
  return drawn;
}
