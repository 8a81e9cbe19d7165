import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundleOf, openZapierContext, type ZapierContext } from '../support/zapier-context.ts';
import type { Fields } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let context: ZapierContext;
let link: Fields;
let agreement: string;
let subscription: Fields;

async function open(profile: Parameters<typeof openZapierContext>[0] = 'modern') {
  context = await openZapierContext(profile, { keepsLog: true });
  ({ link, agreement } = await context.share());
  subscription = await context.subscribe('envelope_signed');
}
afterEach(() => context.close());

/** A forged delivery, signed with the Standard Webhooks scheme if a secret is given. */
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
  context.trigger('envelope_signed', 'perform', { ...bundle, inputData });

describe('with signed deliveries', () => {
  beforeEach(() => open());

  test('a wrong signature never runs the Zap, whatever the body says', async () => {
    await context.sandbox.sign(agreement);
    const body = { type: 'envelope.signed', data: { agreement_id: agreement } };
    expect(await run(forge(body, `whsec_${Buffer.from('guess').toString('base64')}`))).toEqual([]);
    expect(context.zap.logs.join('\n')).toContain(texts.messageCameWrongExpiredSeal);
  });

  test('an unsigned delivery never runs the Zap after a signed one', async () => {
    await context.sandbox.sign(agreement);
    const real = await context.delivered('envelope_signed', subscription);
    expect(await run(real)).toHaveLength(1);
    const forged = forge({ type: 'envelope.signed', data: { agreement_id: agreement }, id: 'evt_new' });
    expect(await run(forged)).toEqual([]);
  });

  test('a batch of two events runs the Zap twice, and a repeated batch never', async () => {
    const other = await context.share();
    for (const id of [agreement, other.agreement]) await context.sandbox.sign(id);
    const body = [agreement, other.agreement].map((agreement_id, at) => ({
      id: `evt_${at}`,
      type: 'envelope.signed',
      data: { agreement_id },
    }));
    const bundle = forge(body, String(subscription['secret']));
    expect((await run(bundle)).map((event) => event['agreement_id'])).toEqual([agreement, other.agreement]);
    expect(await run(bundle)).toEqual([]);
  });

  test("a trigger's test says when and why the last delivery did not run the Zap", async () => {
    const body = { type: 'envelope.signed', data: { agreement_id: agreement } };
    await run(forge(body, `whsec_${Buffer.from('guess').toString('base64')}`));
    await context.sandbox.sign(agreement);
    const [newest, second] = await context.trigger('envelope_signed', 'performList');
    expect(newest?.['check']).toMatch(texts.thisExampleWasReadFromDocshare);
    expect(second?.['check']).toBe(texts.thisExampleWasReadFrom);
    const none = { inputData: { name_contains: 'no such name' } };
    const [example, ...more] = await context.trigger('envelope_signed', 'performList', none);
    expect(more).toEqual([]);
    expect(example?.['check']).toMatch(texts.thisIsAnInventedExample);
  });
});

describe('without signed deliveries', () => {
  beforeEach(() => open('raw'));

  test("an event that the service confirms runs the Zap, with the service's values instead of the delivery's", async () => {
    const body = { id: 'evt_1', event: 'envelope.signed', agreement_id: agreement, name: 'Made up' };
    expect(await run(forge(body))).toEqual([]);
    await context.sandbox.sign(agreement);
    const late = { agreement_name: 'NDA with Ann', status: 'signed', verified: true };
    expect(await run(forge({ ...body, id: 'evt_2' }))).toMatchObject([late]);
  });

  test('each visit of a link runs the Zap once', async () => {
    const views = await context.subscribe('link_viewed');
    const seen: unknown[] = [];
    for (const email of ['ann@northwind.example', 'bob@northwind.example', 'ann@northwind.example']) {
      await context.sandbox.visit(String(link['id']), { email });
      const bundle = await context.delivered('link_viewed', views);
      for (let time = 0; time < 2; time++)
        for (const event of await context.trigger('link_viewed', 'perform', bundle)) seen.push(event['visitor_email']);
    }
    expect(seen).toEqual(['ann@northwind.example', 'bob@northwind.example', 'ann@northwind.example']);
  });
});

describe('registrations', () => {
  const _routesOf = () => context.sandbox.log.entries().map(({ route }) => route);
  const registered = async (): Promise<number> => {
    const answer = await fetch(`${context.sandbox.url}/webhooks`, {
      headers: { authorization: `Bearer ${context.key}` },
    });
    return JSON.stringify(await answer.json()).split(context.hooks.urlFor('/envelope_signed')).length - 1;
  };

  test('subscribing twice leaves one registration, and unsubscribing none', async () => {
    await open();
    expect(await registered()).toBe(1);
    const again = await context.subscribe('envelope_signed');
    expect(await registered()).toBe(1);
    expect(again['id']).not.toBe(subscription['id']);
    const targetUrl = context.hooks.urlFor('/envelope_signed');
    // Zapier may have stored the older one, or none.
    await context.trigger('envelope_signed', 'performUnsubscribe', { targetUrl, subscribeData: subscription });
    expect(await registered()).toBe(0);
  });
});
