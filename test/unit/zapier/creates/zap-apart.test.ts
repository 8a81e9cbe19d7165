/** What steps keep apart: the memory of one is not that of another, and of several records that fit none is picked. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Bundle } from 'zapier-platform-core';
import { z } from 'zod';
import { createContact } from '../../../../zapier/creates/create-contact.ts';
import { uploadRoomFile } from '../../../../zapier/creates/upload-room-file.ts';
import { upsertContact } from '../../../../zapier/creates/upsert-contact.ts';
import { createResumeStore } from '../../../../zapier/platform/resume.ts';
import { createLastSkippedDelivery } from '../../../../zapier/triggers/last-skipped-delivery.ts';
import { createStub } from '../../../support/create-stub.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;

describe('what is left of a run', () => {
  const { z: platform } = zapStep(() => undefined);
  const of = (step: string, input: unknown, zap = 'z1') =>
    createResumeStore<Item>(
      { z: platform, bundle: { meta: { zap: { id: zap } } as Bundle['meta'] } },
      { step, input, schema: z.looseObject({}) },
    );
  test('is found by the same step of the same Zap with the same input, and by no other', async () => {
    await of('share', ['a.pdf', '']).save({ id: 'd1' });
    expect(await of('share', ['a.pdf', '']).load()).toEqual({ id: 'd1' });
    expect(await of('share', ['b.pdf', '']).load()).toBeNull();
    expect(await of('share', ['a.pdf', ''], 'z2').load()).toBeNull();
    expect(await of('room-file', ['a.pdf', '']).load()).toBeNull();
  });
  test('of another run is not that of a run of no Zap, which finds its own', async () => {
    const run = () =>
      createResumeStore<Item>(
        { z: platform, bundle: createStub<Bundle>({}) },
        { step: 'try', input: 'x', schema: z.looseObject({}) },
      );
    await of('try', 'x').save({ id: 'd3' });
    expect(await run().load()).toBeNull();
    await run().save({ id: 'd4' });
    expect(await run().load()).toEqual({ id: 'd4' });
  });
  test('is told where it could not be kept, and where it could', async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers();
    const { z: failing } = zapStep(() => undefined);
    const { set } = failing.cache;
    failing.cache.set = () => Promise.reject(new Error('down'));
    const { save } = createResumeStore<Item>(
      { z: failing, bundle: createStub<Bundle>({ meta: {} }) },
      { step: 'try', input: 'x', schema: z.looseObject({}) },
    );
    const kept = save({ id: 'd5' });
    await vi.runAllTimersAsync();
    expect(await kept).toBe(false);
    failing.cache.set = set;
    expect(await save({ id: 'd5' })).toBe(true);
  });
  test('is nothing once it has ended well', async () => {
    await of('sign', 'x').save({ id: 'd2' });
    await of('sign', 'x').clear();
    expect(await of('sign', 'x').load()).toBeNull();
  });
});

test('a delivery that was dropped is told by its own trigger', async () => {
  const { z } = zapStep(() => undefined);
  await createLastSkippedDelivery(z, 'link_viewed').record('its signature is missing');
  expect(await createLastSkippedDelivery(z, 'link_viewed').describe()).toContain('its signature is missing');
  expect(await createLastSkippedDelivery(z, 'envelope_signed').describe()).toBeUndefined();
});

test('a file that one room may have already is put into another room', async () => {
  let isLost = true;
  const added: string[] = [];
  const step = zapStep(({ method, path }): ZapAnswer => {
    const room = /^\/rooms\/(\w+)\/files$/.exec(path)?.[1];
    if (room !== undefined && isLost) return { status: 500, json: {} };
    if (room !== undefined) added.push(room);
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    return method === 'GET' ? { json: [] } : { status: 201, json: { id: 'd1' } };
  });
  const add = (room: string) =>
    step.run(perform(uploadRoomFile), { inputData: { file: 'data:,some words', room, name: 'a' } });
  await expect(add('r1')).rejects.toThrow(texts.mayBeInTheRoom);
  isLost = false;
  await expect(add('r1')).rejects.toThrow(texts.soItWasNotAdded);
  expect(await add('r2')).toMatchObject({ document_id: 'd1' });
  expect(added).toEqual(['r2']);
});

test('of two contacts that others made meanwhile none is changed', async () => {
  const ann = { id: 'c1', email: 'ann@a.test' };
  let contacts: Item[] = [];
  const step = zapStep(({ method }): ZapAnswer => {
    if (method === 'GET') return { json: contacts };
    contacts = [ann, { ...ann, id: 'c2' }];
    return { status: 409, json: {} };
  });
  const inputData = { email: 'ann@a.test', name: 'Ann' };
  await expect(step.run(perform(upsertContact), { inputData })).rejects.toThrow('Check the record');
  expect(step.calls.map(({ method }) => method)).not.toContain('PATCH');
});

test('all that makes a contact for one address takes turns, whoever’s Zap it is', () => {
  const lockOf = ({ operation }: { operation: unknown }) => (operation as { lock?: Item }).lock;
  expect(lockOf(upsertContact)).toMatchObject({ scope: ['account'] });
  expect(lockOf(upsertContact)).toEqual(lockOf(createContact));
});
