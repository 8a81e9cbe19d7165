import type { ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { renderRejection } from '../http/error-answer.ts';
import { resolveProfile } from '../profile/choose-profile.ts';
import { type SandboxProfile, SWITCHES } from '../profile/switches.ts';
import { Rejection, type RejectionReason } from '../refusal.ts';
import { type FormPaths, likeness, pathsOfSchema, pathsOfValue } from './form-paths.ts';
import { settingOf } from './setting-of.ts';

const BY_STATUS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'conflict'] as const;

/** The settings that say how the service refuses (§7), as far as it was seen to. */
export function nearestRefusals({ refusals: rejections }: ServiceProfile): Partial<SandboxProfile> {
  const statuses = BY_STATUS.map((reason) => {
    const seen = rejections[reason] ?? (reason === 'wrongKey' ? rejections.noKey : undefined);
    return settingOf(reason, seen?.status.toString());
  });
  return { ...Object.assign({}, ...statuses), ...settingOf('errors', errorsOf(rejections)) };
}

type Errors = SandboxProfile['errors'];

function errorsOf(rejections: ServiceProfile['refusals']): Errors | undefined {
  const seen = Object.entries(rejections).flatMap(([reason, answer]) =>
    answer === undefined ? [] : [{ reason: reason as keyof typeof rejections, answer }],
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
  const drawn = draw(given.errors, given.reason as RejectionReason);
  const isMedia = media === null || drawn.media === media ? 0.1 : 0;
  return likeness(pathsOfSchema(body), drawn.paths) + isMedia;
}

const drawings = new Map<string, { paths: FormPaths; media: string }>();

/** What the sandbox itself answers for this reason. */
function draw(errors: Errors, reason: RejectionReason) {
  const key = `${errors} ${reason}`;
  const known = drawings.get(key);
  if (known) return known;
  const details = reason === 'badBody' ? [{ field: '*', message: 'is required' }] : [];
  const { headers, body } = renderRejection(new Rejection(reason, 'no', details), resolveProfile({ errors }));
  const drawn = { paths: pathsOfValue(JSON.parse(String(body))), media: headers['content-type'] ?? '' };
  drawings.set(key, drawn);
  return drawn;
}
