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
export function nearestErrors(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  const { rejections } = serviceProfile;
  const statuses = BY_STATUS.map((reason) => {
    const seen = rejections[reason] ?? (reason === 'wrongKey' ? rejections.noKey : undefined);
    return toSetting(reason, seen?.status.toString());
  });
  const { errors, score } = bestForm(serviceProfile);
  return { ...Object.assign({}, ...statuses), ...toSetting('errors', score >= 0.4 ? errors : undefined) };
}

/** Returns true if all learned rejections match the form of a setting exactly. */
export function hasExactErrors(serviceProfile: ServiceProfile): boolean {
  return bestForm(serviceProfile).lowest >= 1;
}

interface Best {
  readonly errors: Errors | undefined;
  readonly score: number;
  readonly lowest: number;
}

const known = new WeakMap<ServiceProfile, Best>();

function bestForm(serviceProfile: ServiceProfile): Best {
  const before = known.get(serviceProfile);
  if (before) return before;
  const seen = Object.entries(serviceProfile.rejections).flatMap(([reason, answer]) =>
    answer === undefined ? [] : [{ reason: reason as RejectionReason, answer }],
  );
  const scores = SWITCHES.errors.settings.map((errors): Best => {
    const each = seen.map(({ reason, answer }) => getScore(answer, errors, reason));
    return { errors, score: each.reduce((sum, one) => sum + one, 0) / each.length, lowest: Math.min(...each) };
  });
  const none = { errors: undefined, score: 0, lowest: 0 };
  const best = seen.length === 0 ? none : scores.reduce((a, b) => (b.score > a.score ? b : a));
  known.set(serviceProfile, best);
  return best;
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
