import { beforeAll, describe, expect, test } from 'vitest';
import { PROFILE_NAMES, type Sandbox } from '../../sandbox/index.ts';
import { openZapierContext, outputKeys, type Platform } from '../support/zapier-lambda.ts';

const SIGNERS = [
  { signer_email: 'ann@x.example', signer_name: 'Ann Lee', signer_role: 'Client', signer_order: 1 },
  { signer_email: 'bob@y.example', signer_role: 'Vendor', signer_order: '2' },
];

describe.each(PROFILE_NAMES)('on a service like "%s"', (profile) => {
  let zap: Platform;
  let sandbox: Sandbox;
  beforeAll(async () => {
    const context = await openZapierContext(profile, { data: 'empty' });
    ({ zap, sandbox } = context);
    return context.close;
  });
  const calls = (operation: string) =>
    sandbox.log.entries().filter((entry) => entry.operation === operation && entry.effect);
  const pick = async (resource: string) => (await zap.trigger(`${resource}_list`))[0]?.['id'];

  test('a file, a document and a template are sent to their signers, each once', async () => {
    const shown = await zap.act('send_for_signature', {
      file: 'data:,Between us.',
      name: 'NDA with Ann',
      subject: 'Our NDA',
      message: 'Please sign.',
      signers: SIGNERS,
    });
    expect(shown).toMatchObject({ id: expect.any(String), name: 'NDA with Ann', status: 'sent' });
    const { outputFields = [] } = zap.definition.creates['send_for_signature']?.operation ?? {};
    expect(Object.keys(shown).sort()).toEqual(outputKeys(outputFields));
    const document = await pick('document');
    await zap.act('create_template', { name: 'NDA', document });
    const template = await pick('template');
    for (const source of [{ document }, { template }])
      await zap.act('send_for_signature', { ...source, signers: SIGNERS.slice(0, 1) });
    const agreements = await zap.trigger('new_agreement');
    expect(agreements.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    for (const operation of ['agreements.create', 'agreements.send']) expect(calls(operation)).toHaveLength(3);
    for (const part of ['ann@x.example', 'ann lee', 'client', 'vendor', '"order":2', 'our nda', 'please sign'])
      expect(JSON.stringify(calls('agreements.create')[0]?.body).toLowerCase()).toContain(part);
    expect([...zap.cache.keys()].filter((key) => key.startsWith('unfinished'))).toEqual([]);
  });
});
