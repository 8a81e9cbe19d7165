import type { ServiceFacts, ServiceProfile } from '../../../src/profile/service-profile.ts';
import { DEFAULT_PROFILE, type SandboxProfile, SWITCHES } from '../../profile/switches.ts';
import { pathsOfSchema, pathsOfValue, plainName, similarity } from '../../service-profile/form-paths.ts';
import { renderEvent } from '../shape-event.ts';
import { toSetting } from './setting-of.ts';

/** Returns the settings that single facts decide. */
export function nearestFacts({ facts, operations }: ServiceProfile): Partial<SandboxProfile> {
  const { limit, requestId } = facts;
  const { requestBody: optionalField } = operations['documents.startUpload'] ?? {};
  return {
    ...toSetting('naming', facts.naming),
    ...toSetting('ids', facts.ids),
    ...toSetting('dates', facts.times),
    ...toSetting('nulls', facts.nulls),
    ...toSetting('requestId', requestId === null ? 'none' : requestId?.toLowerCase()),
    ...toSetting('rateLimiter', limit?.kind),
    ...toSetting('rateLimitCounts', limit?.counts),
    ...toSetting('rateLimitHeaders', limit?.hint),
    ...toSetting('undocumentedDeletes', getRemovals(facts)),
    ...nearestStorage(facts, optionalField?.required ?? Object.keys(facts.uploadStart ?? {})),
    ...nearestEvents(facts),
  };
}

function getRemovals({ removals }: ServiceFacts): string | undefined {
  if (removals === undefined) return undefined;
  return removals.length > 0 ? 'all' : 'documented';
}

/** `demanded`: fields that an upload start requires. */
function nearestStorage(
  { download, upload, uploadStart }: ServiceFacts,
  demanded: readonly string[],
): Partial<SandboxProfile> {
  const sameOrigin = upload?.sameOrigin ?? download?.sameOrigin;
  const ttlSeconds = upload?.ttlSeconds ?? (download?.ttlSeconds === undefined ? undefined : download.ttlSeconds * 3);
  const isEncrypted = upload?.headers.some((name) => name.toLowerCase() === 'x-amz-server-side-encryption');
  return {
    ...toSetting('download', getDownload(download)),
    ...toSetting('uploadBody', uploadStart && getBody('uploadBody', demanded)),
    ...toSetting('encryption', upload?.encryption ?? (upload && !isEncrypted ? 'none' : undefined)),
    ...toSetting('storageOrigin', sameOrigin === undefined ? undefined : sameOrigin ? 'same' : 'other-port'),
    ...toSetting('uploadStatus', upload?.stored?.toString()),
    ...toSetting('urlTtlSeconds', ttlSeconds === undefined ? undefined : nearestUrlTtl(ttlSeconds)),
  };
}

function getDownload(download: ServiceFacts['download']): string | undefined {
  if (!download) return undefined;
  if (download.by === 'bytes') return 'bytes';
  if (download.by === 'redirect') return `redirect-${download.status}`;
  return (download.at?.length ?? 0) > 1 ? 'nested' : download.at?.[0];
}

/** Returns the setting with these fields, in any order. */
function getBody(name: 'uploadBody' | 'webhookBody', fields: readonly string[]): string | undefined {
  if (fields.length === 0) return 'none';
  const sorted = fields.toSorted().join('+');
  return SWITCHES[name].settings.find((setting) => setting.split('+').toSorted().join('+') === sorted);
}

/** A lifetime was measured shortly after the URL was created. */
function nearestUrlTtl(ttlSeconds: number): string | undefined {
  return SWITCHES.urlTtlSeconds.settings.find(
    (setting) => Math.abs(Number(setting) - ttlSeconds) <= Number(setting) * 0.1,
  );
}

function nearestEvents({ webhook, webhookSecret, event }: ServiceFacts): Partial<SandboxProfile> {
  return {
    ...toSetting('webhookBody', webhook && getBody('webhookBody', Object.keys(webhook))),
    ...toSetting(
      'webhookSecretField',
      webhookSecret === null ? 'none' : webhookSecret?.at(-1) && snake(webhookSecret.at(-1) ?? ''),
    ),
    ...toSetting('signature', event?.signature),
    ...toSetting('eventShape', event && getEventShape(event)),
  };
}

function snake(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function getEventShape({ body, data }: NonNullable<ServiceFacts['event']>): string | undefined {
  // The event's data is at the top level.
  if (data === undefined) return 'flat';
  const inData = `.${data.map(plainName).join('.')}.`;
  const seen = new Set([...pathsOfSchema(body)].filter((path) => data.length === 0 || !path.startsWith(inData)));
  const scores = SWITCHES.eventShape.settings.map((eventShape) => {
    const profile = { ...DEFAULT_PROFILE, eventShape };
    const drawn = renderEvent({ id: 'e', kind: 'link.viewed', at: 0, data: {} }, profile);
    return { eventShape, score: similarity(seen, pathsOfValue(drawn)) };
  });
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score >= 0.5 ? best.eventShape : undefined;
}
