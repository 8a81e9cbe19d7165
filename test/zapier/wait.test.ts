/** Send Agreement and Wait on the platform: it waits for a callback, and only its own agreement resumes it. */
import { beforeEach, expect, test } from 'vitest';
import type { SandboxProfileInput } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';

let context: ZapierContext;
let agreement: string;
const open = async (profile: SandboxProfileInput) => {
  context = await closeAfterTest(openZapierContext(profile));
  const { link } = await context.share();
  await context.act('create_agreement', { name: 'Offer', document: link['document_id'] });
  const choices = await context.zap.trigger('agreement_list');
  agreement = String(choices.find((choice) => choice['name'] === 'Offer')?.['id']);
};
beforeEach(() => open('modern'));

const PERFORM = 'creates.send_and_wait.operation.perform';
const RESUME = 'creates.send_and_wait.operation.performResume';
const inputOf = () => ({ agreement, signer_emails: ['ann@northwind.example'] });

async function waiting(): Promise<Fields> {
  const { results, status } = await context.zap.envelope(PERFORM, { inputData: inputOf() });
  expect(status).toBe('CALLBACK');
  return results as Fields;
}

const cleanedRequest = { type: 'envelope.signed' };
const resume = (outputData: Fields) => ({ inputData: inputOf(), outputData, cleanedRequest });

test('the Zap continues with the signed agreement, and its subscription is removed', async () => {
  const outputData = await waiting();
  expect(context.sandbox.log.entries().filter(({ route }) => route === 'POST /webhooks')).toHaveLength(1);
  await context.sandbox.sign(agreement);
  const resumed = await context.zap.run(RESUME, resume(outputData));
  expect(resumed).toMatchObject({ id: agreement, name: 'Offer', status: 'signed' });
  expect(resumed['signed_document']).toContain('fetchSignedDocument');
  expect(context.sandbox.log.entries().at(-1)).toMatchObject({ route: 'DELETE /webhooks/{id}', status: 204 });
});

test("the editor's test sends and does not wait", async () => {
  const meta = { isLoadingSample: true };
  const { status, results } = await context.zap.envelope(PERFORM, { inputData: inputOf(), meta });
  expect(status).not.toBe('CALLBACK');
  expect(results).toMatchObject({ id: agreement, status: 'sent' });
  expect(context.sandbox.log.entries().filter(({ route }) => route === 'POST /webhooks')).toEqual([]);
});

test.each(['legacy', 'numeric', 'numeric+writeResponse=text'])(
  'the run ends when its agreement is declined, also if each registration is for one kind of event: %s',
  async (profile) => {
    await open(profile);
    const outputData = await waiting();
    await context.sandbox.endAgreement(agreement, 'declined');
    await context.sandbox.deliveries.settled();
    const deliveries = context.sandbox.deliveries.entries().filter(({ url }) => url.endsWith('/callback'));
    expect(deliveries.map(({ kind }) => kind)).toEqual(['envelope.declined']);
    expect((await context.zap.runError(RESUME, resume(outputData))).name).toBe('HaltedError');
    const left = [...context.sandbox.snapshot().state.webhooks.values()];
    expect(left.filter(({ url }) => url.endsWith('/callback'))).toEqual([]);
  },
);
