import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES, type ProfileName, type Sandbox } from '../sandbox/index.ts';
import { type Delivered, type Hooks, receiveHooks } from '../scripts/demo-hooks.ts';
import { type Fields, type Handler, loadHandler, type Platform, startPlatform } from './zapier-lambda.ts';

let handler: Handler;
beforeAll(async () => {
  handler = await loadHandler();
});

interface World {
  sandbox: Sandbox;
  zap: Platform;
  hooks: Hooks;
  /** Bundle of a delivery, as Zapier makes it. */
  delivery(delivered: Delivered, subscribeData: Fields): Fields;
}

async function openWorld(profile: ProfileName): Promise<World> {
  const sandbox = await createSandbox({ profile });
  const zap = await startPlatform(handler, { apiKey: sandbox.key(), baseUrl: sandbox.url });
  const hooks = await receiveHooks();
  const delivery = ({ body, headers }: Delivered, subscribeData: Fields) => ({
    subscribeData,
    cleanedRequest: JSON.parse(body),
    rawRequest: {
      method: 'POST',
      querystring: '',
      content: body,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          `Http-${name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())}`,
          value,
        ]),
      ),
    },
  });
  return { sandbox, zap, hooks, delivery };
}

async function share({ zap }: World): Promise<{ link: Fields; agreement: Fields }> {
  const document = await zap.run('creates.upload_document.operation.perform', {
    inputData: { file: 'A text to share.', name: 'Shared.txt' },
  });
  const link = await zap.run('creates.create_link.operation.perform', {
    inputData: { document: document['id'], email_required: true },
  });
  return { link, agreement: document };
}

describe.each(PROFILE_NAMES)('on a service like "%s"', (profile) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(profile);
  });
  afterAll(async () => {
    await world.zap.close();
    await world.hooks.close();
    await world.sandbox.close();
  });

  test('a view of a link runs the Zap once, whatever is delivered again', async () => {
    const { sandbox, zap, hooks, delivery } = world;
    const { link } = await share(world);
    const subscription = await zap.run('triggers.link_viewed.operation.performSubscribe', {
      targetUrl: hooks.address('/view'),
    });
    await sandbox.visit(String(link['id']), { email: 'ann@northwind.example', pages: [4] });
    const bundle = delivery(await hooks.next('/view', 10_000), subscription);

    const runs: Fields[][] = [];
    for (let time = 0; time < 5; time++)
      runs.push(await zap.run<Fields[]>('triggers.link_viewed.operation.perform', bundle));
    const [[event] = [], ...again] = runs;
    expect(event).toMatchObject({
      event: 'link.viewed',
      link_id: link['id'],
      link_url: link['url'],
      document_id: link['document_id'],
      visitor_email: 'ann@northwind.example',
    });
    expect(again).toEqual([[], [], [], []]);

    const listed = await zap.run<Fields[]>('triggers.link_viewed.operation.performList', {
      inputData: { link: link['id'] },
    });
    expect(listed.map((item) => item['link_id'])).toEqual([link['id']]);
    expect(Object.keys(event ?? {})).toEqual(expect.arrayContaining(Object.keys(listed[0] ?? {})));

    await zap.run('triggers.link_viewed.operation.performUnsubscribe', { subscribeData: subscription });
    expect(
      await zap.run('triggers.link_viewed.operation.performUnsubscribe', { subscribeData: subscription }),
    ).toEqual({});
  });
});
