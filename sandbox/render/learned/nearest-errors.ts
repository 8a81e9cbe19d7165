import type { ResponseShape, ServiceProfile } from '../../../src/profile/service-profile.ts';
import { Rejection, type RejectionReason } from '../../base/rejection.ts';
import { resolveProfile } from '../../profile/choose-profile.ts';
import { type SandboxProfile, SWITCHES } from '../../profile/switches.ts';
import { pathsOfSchema, pathsOfValue, similarity } from '../../service-profile/form-paths.ts';
import { renderRejection } from '../error-response.ts';
import { toSetting } from './setting-of.ts';

const BY_STATUS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'conflict'] as const;

type Errors = SandboxProfile['errors'];

/** Returns the settings that match the learned rejections (§7). */
export function nearestErrors({ rejections }: ServiceProfile): Partial<SandboxProfile> {
  const statuses = BY_STATUS.map((reason) => {
    const seen = rejections[reason] ?? (reason === 'wrongKey' ? rejections.noKey : undefined);
    return toSetting(reason, seen?.status.toString());
  });
  return { ...Object.assign({}, ...statuses), ...toSetting('errors', closestForm(rejections)) };
}

/** Returns the setting whose bodies look most like the learned ones, if they are alike at all. */
function closestForm(rejections: ServiceProfile['rejections']): Errors | undefined {
  const seen = Object.entries(rejections);
  const scores = SWITCHES.errors.settings.map((errors) => {
    const each = seen.map(([reason, answer]) => getScore(answer, errors, reason as RejectionReason));
    return { errors, score: each.reduce((sum, one) => sum + one, 0) / each.length };
  });
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score >= 0.4 ? best.errors : undefined;
}

/** Scores a learned body against that of a setting: 1 or more if they have the same fields. */
function getScore({ media, body }: ResponseShape, errors: Errors, reason: RejectionReason): number {
  const details = reason === 'badBody' ? [{ field: '*', message: 'is required' }] : [];
  const reply = renderRejection(new Rejection(reason, 'no', details), resolveProfile({ errors }));
  const type = reply.headers['content-type']?.split(';')[0] ?? '';
  const isText = media !== null && /^text\/(plain|html)$/.test(media);
  if (isText || !type.includes('json')) return media === type ? 1 : 0;
  if (!body) return 0;
  const isMedia = media === null || type === media ? 0.1 : 0;
  return similarity(pathsOfSchema(body), pathsOfValue(JSON.parse(String(reply.body)))) + isMedia;
}
