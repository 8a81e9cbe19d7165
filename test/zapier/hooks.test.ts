import { beforeAll, describe, expect, test } from 'vitest';
import { createRandomProfile, type SandboxProfile, SWITCHES } from '../../sandbox/index.ts';
import { PRESETS_WITHOUT_WAITS } from '../support/presets-without-waits.ts';
import { type Fields, openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

/** The presets and random services: together they have every form of delivery. */
const SERVICES: readonly (readonly [string, SandboxProfile])[] = [
  ...PRESETS_WITHOUT_WAITS,
  ...[111, 208, 222, 233].map(
    (seed) => [`drawn by ${seed}`, { ...createRandomProfile(seed), rateLimiter: 'sliding' }] as const,
  ),
];

test.each([
  'signature',
  'eventShape',
  'webhookBody',
  'webhookSecretField',
  'ids',
  'dates',
  'naming',
  'item',
  'nulls',
  'download',
] as const)('the services have every setting of %s', (name) => {
  const settings: readonly string[] = SWITCHES[name].settings;
  expect(new Set(SERVICES.map(([, profile]) => profile[name]))).toEqual(new Set(settings));
});

describe.each(SERVICES)('on a service like "%s"', (_, profile) => {
  let context: ZapierContext;
  let link: Fields;
  let agreement: string;
  const secrets: string[] = [];
  beforeAll(async () => {
    context = await openZapierContext(profile, { keepsLog: true });
    ({ link, agreement } = await context.share());
    return context.close;
  });

  test('a view of a link runs the Zap once, however often it is delivered', async () => {
    const subscription = await context.subscribe('link_viewed');
    await context.sandbox.visit(String(link['id']), { email: 'ann@northwind.example', pages: [4] });
    const bundle = await context.delivered('link_viewed', subscription);

    const runs: Fields[][] = [];
    for (let time = 0; time < 5; time++) runs.push(await context.zap.trigger('link_viewed', bundle));
    const [[event] = [], ...again] = runs;
    expect(event).toMatchObject({
      event: 'Link viewed',
      link_id: link['id'],
      link_url: link['url'],
      document_id: link['document_id'],
      visitor_email: 'ann@northwind.example',
      viewed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      verified: true,
      // A signed, complete event is not looked up, and a view that just began has no pages yet.
      pages_viewed: event?.['check'] === texts.eventCameDocshareSeal ? null : 1,
    });
    expect(again).toEqual([[], [], [], []]);
  });

  test('a signature runs the Zap once and brings the signed document as a file', async () => {
    const subscription = await context.subscribe('envelope_signed');
    await context.sandbox.sign(agreement, { email: 'ann@northwind.example' });
    const bundle = await context.delivered('envelope_signed', subscription);
    const [event] = await context.zap.trigger('envelope_signed', bundle);
    expect(event).toMatchObject({
      event: 'Agreement signed',
      agreement_id: agreement,
      agreement_name: 'NDA with Ann',
      status: 'signed',
      signer_email: 'ann@northwind.example',
      signer_name: 'Ann Lee',
      signed_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await context.zap.trigger('envelope_signed', bundle)).toEqual([]);

    const pointer = JSON.parse(String(event?.['signed_document']).split('|||')[1] ?? '');
    const asked = { agreement_id: agreement };
    expect(pointer).toEqual({ type: 'file', method: 'hydrators.fetchSignedDocument', bundle: asked });
    await context.zap.run(pointer.method, { inputData: pointer.bundle });
    const [file] = context.zap.stash;
    expect(file?.type).toBe('application/pdf');
    expect(file?.name).toMatch(/\.pdf$/);
    expect(file?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test.each(['link_viewed', 'envelope_signed'])('the list of %s has the keys of its sample', async (key) => {
    const filter = key === 'link_viewed' ? { link: link['id'] } : { name_contains: 'with ANN' };
    const [listed, ...more] = await context.zap.trigger(key, { inputData: filter }, 'performList');
    expect(more).toEqual([]);
    expect(listed).toMatchObject(key === 'link_viewed' ? { link_id: link['id'] } : { agreement_id: agreement });
    const { definition } = context.zap;
    const sample = definition.triggers[key]?.operation.sample ?? {};
    expect(Object.keys(listed ?? {}).sort()).toEqual(Object.keys(sample).sort());
  });

  test.each(['link_viewed', 'envelope_signed'] as const)('%s can be unsubscribed twice', async (key) => {
    const subscription = await context.subscribe(key);
    const gone = () => context.zap.trigger(key, { subscribeData: subscription }, 'performUnsubscribe');
    expect(await gone()).toEqual({});
    expect(await gone()).toEqual({});
    secrets.push(String(subscription['secret'] ?? ''));
  });

  test('the log contains each call and no secret', () => {
    const log = context.zap.logs.join('\n');
    for (const secret of [context.key, ...secrets].filter(Boolean)) expect(log).not.toContain(secret);
    expect(log).not.toMatch(/(X-Amz-Signature|signature)=[0-9a-f]{16}/i);
    expect(log).toContain('/webhooks');
  });
});
