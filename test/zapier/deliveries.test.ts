import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../world/zapier-lambda.ts';
import { bundleOf, openWorld, type World } from '../world/zapier-world.ts';

let world: World;
let link: Fields;
let agreement: string;
let subscription: Fields;

async function open(profile: Parameters<typeof openWorld>[0] = 'modern') {
  world = await openWorld(profile);
  ({ link, agreement } = await world.share());
  subscription = await world.subscribe('envelope_signed');
}
afterEach(() => world.close());

/** A delivery that somebody else made up, signed by the Standard Webhooks scheme where a secret is given. */
function forge(body: Fields | Fields[], secret?: string): Fields {
  const text = JSON.stringify(body);
  const id = 'msg_1';
  const at = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  return bundleOf({ body: text, headers: secret ? headers : {} }, subscription);
}

const run = (bundle: Fields, inputData: Fields = {}) =>
  world.trigger('envelope_signed', 'perform', { ...bundle, inputData });

describe('where deliveries are signed', () => {
  beforeEach(() => open());

  test('a wrong signature never runs the Zap, whatever it says', async () => {
    await world.sandbox.sign(agreement);
    const body = { type: 'envelope.signed', data: { agreement_id: agreement } };
    expect(await run(forge(body, `whsec_${Buffer.from('guess').toString('base64')}`))).toEqual([]);
    expect(world.zap.logs.join('\n')).toContain('its signature is wrong or too old');
  });

  test('an unsigned delivery never runs the Zap once a signed one came', async () => {
    await world.sandbox.sign(agreement);
    const real = await world.delivered('envelope_signed', subscription);
    expect(await run(real)).toHaveLength(1);
    const forged = forge({ type: 'envelope.signed', data: { agreement_id: agreement }, id: 'evt_new' });
    expect(await run(forged)).toEqual([]);
  });

  test('an event about an unknown agreement never runs the Zap, even with a true signature', async () => {
    const body = { type: 'envelope.signed', data: { agreement_id: 'env_unknown' } };
    expect(await run(forge(body, String(subscription['secret'])))).toEqual([]);
    expect(world.zap.logs.join('\n')).toContain('Docshare knows nothing of it');
  });

  test('an event of another kind never runs the Zap', async () => {
    const body = { type: 'envelope.sent', data: { agreement_id: agreement } };
    expect(await run(forge(body, String(subscription['secret'])))).toEqual([]);
  });

  test('a delivery that is no JSON is dropped', async () => {
    expect(
      await run({ subscribeData: subscription, rawRequest: { content: '<html>', headers: {} } }),
    ).toEqual([]);
  });

  test('two signatures of two agreements run the Zap twice', async () => {
    const other = await world.share();
    await world.sandbox.sign(agreement);
    await world.sandbox.sign(other.agreement);
    const first = await run(await world.delivered('envelope_signed', subscription));
    const second = await run(await world.delivered('envelope_signed', subscription));
    expect([...first, ...second].map((event) => event['agreement_id']).sort()).toEqual(
      [agreement, other.agreement].sort(),
    );
  });

  test('a batch of two events runs the Zap twice, delivered again never', async () => {
    const other = await world.share();
    const body = [agreement, other.agreement].map((agreement_id, at) => ({
      id: `evt_${at}`,
      type: 'envelope.signed',
      data: { agreement_id },
    }));
    const bundle = forge(body, String(subscription['secret']));
    expect((await run(bundle)).map((event) => event['agreement_id'])).toEqual([agreement, other.agreement]);
    expect(await run(bundle)).toEqual([]);
  });

  test('two Zaps on the same event both run', async () => {
    await world.sandbox.sign(agreement);
    const bundle = await world.delivered('envelope_signed', subscription);
    expect(await run(bundle)).toHaveLength(1);
    const twin = { ...subscription, id: 'whk_of_another_zap' };
    expect(await run({ ...bundle, subscribeData: twin })).toHaveLength(1);
  });

  test('with the cache failing the Zap still runs', async () => {
    world.zap.cache.failing = true;
    await world.sandbox.sign(agreement);
    expect(await run(await world.delivered('envelope_signed', subscription))).toHaveLength(1);
  });

  test('filters by name and template drop an event, and let the right one through', async () => {
    await world.sandbox.sign(agreement);
    const bundle = await world.delivered('envelope_signed', subscription);
    expect(await run(bundle, { name_contains: 'offer letter' })).toEqual([]);
    expect(await run(bundle, { template: 'tpl_other' })).toEqual([]);
    expect(await run(bundle, { name_contains: 'with ann' })).toHaveLength(1);
  });

  test('filters by link and document drop a view', async () => {
    const views = await world.subscribe('link_viewed');
    await world.sandbox.visit(String(link['id']), { email: 'ann@northwind.example' });
    const bundle = await world.delivered('link_viewed', views);
    const see = (inputData: Fields) => world.trigger('link_viewed', 'perform', { ...bundle, inputData });
    expect(await see({ link: 'lnk_other' })).toEqual([]);
    expect(await see({ document: 'doc_other' })).toEqual([]);
    expect(await see({ link: link['id'], document: link['document_id'] })).toHaveLength(1);
  });

  test('a key that may not read agreements still gets signed events, from what they say themselves', async () => {
    await world.sandbox.sign(agreement);
    const bundle = await world.delivered('envelope_signed', subscription);
    const apiKey = world.sandbox.key(['webhooks:write']);
    const authData = { apiKey, baseUrl: world.sandbox.url };
    expect(await run({ ...bundle, authData })).toMatchObject([{ agreement_id: agreement }]);
  });

  test('a service that asks for patience during the re-read is asked again later, and nothing is lost', async () => {
    await world.sandbox.sign(agreement);
    const bundle = await world.delivered('envelope_signed', subscription);
    world.sandbox.faults.add({ operation: 'agreements.list', status: 429, headers: { 'retry-after': '40' } });
    const refusal = await world.zap.refusal('triggers.envelope_signed.operation.perform', bundle);
    expect(refusal).toMatchObject({ name: 'ThrottledError', delay: 40 });
    world.sandbox.faults.clear();
    // Another key: the first one's limit is paused for 40 s in this process.
    const authData = { apiKey: world.sandbox.key(), baseUrl: world.sandbox.url };
    expect(await run({ ...bundle, authData })).toHaveLength(1);
  });
});

describe('where deliveries are not signed', () => {
  beforeEach(() => open('raw'));

  test('an event runs the Zap once the service confirms it, and once for each signature', async () => {
    const body = { id: 'evt_1', event: 'envelope.signed', agreement_id: agreement, name: 'Made up' };
    expect(await run(forge(body))).toEqual([]);
    await world.sandbox.sign(agreement);
    expect(await run(forge(body))).toMatchObject([
      { agreement_id: agreement, agreement_name: 'NDA with Ann' },
    ]);
    expect(await run(forge({ ...body, id: 'evt_2' }))).toEqual([]);
  });

  test('a key that could not confirm any event is refused when the Zap is turned on', async () => {
    const authData = { apiKey: world.sandbox.key(['webhooks:write']), baseUrl: world.sandbox.url };
    const registered = world.sandbox.log.entries().filter(({ route }) => route === 'POST /webhooks').length;
    for (const [key, scope] of [
      ['envelope_signed', 'envelopes:read'],
      ['link_viewed', 'links:read'],
    ]) {
      const targetUrl = world.hooks.address(`/${key}`);
      const refusal = await world.zap.refusal(`triggers.${key}.operation.performSubscribe`, {
        authData,
        targetUrl,
      });
      expect(refusal.message).toContain(scope);
    }
    const routes = world.sandbox.log.entries().map(({ route }) => route);
    expect(routes.filter((route) => route === 'POST /webhooks')).toHaveLength(registered + 2);
    expect(routes.filter((route) => route === 'DELETE /webhooks/{id}')).toHaveLength(2);
  });

  test('an event that the key may not confirm never runs the Zap', async () => {
    await world.sandbox.sign(agreement);
    const bundle = await world.delivered('envelope_signed', subscription);
    const authData = { apiKey: world.sandbox.key(['webhooks:write']), baseUrl: world.sandbox.url };
    expect(await run({ ...bundle, authData })).toEqual([]);
  });
});
