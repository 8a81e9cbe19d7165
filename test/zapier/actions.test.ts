import { beforeAll, describe, expect, test } from 'vitest';
import { PRESETS_WITHOUT_WAITS } from '../support/presets-without-waits.ts';
import { type Fields, openZapierContext, outputKeys, type Platform } from '../support/zapier-lambda.ts';

describe.each(PRESETS_WITHOUT_WAITS)('on a service like "%s"', (_, profile) => {
  let zap: Platform;
  beforeAll(async () => {
    const context = await openZapierContext(profile, { data: 'empty' });
    zap = context.zap;
    return context.close;
  });

  /** Runs an action. Its output must have exactly the labelled keys, and those of its sample. */
  const act = async (key: string, inputData: Fields) => {
    const shown = await zap.act(key, inputData);
    const { outputFields = [], sample = {} } = zap.definition.creates[key]?.operation ?? {};
    const keys = Object.keys(shown).sort();
    expect(keys).toEqual(outputKeys(outputFields));
    expect(keys).toEqual(Object.keys(sample).sort());
    return shown;
  };
  const pick = async (resource: string, name: string) => {
    const choices = await zap.trigger<{ id: string; name: string }[]>(`${resource}_list`);
    return choices.find((choice) => choice.name.includes(name))?.id;
  };

  test('a document gets a version and a link, which is changed and deleted', async () => {
    const document = await act('upload_document', { file: 'data:,First.', name: 'Plan.txt' });
    expect(document).toMatchObject({ id: expect.any(String), name: 'Plan.txt' });
    const version = await act('upload_document', {
      file: 'data:,Second%2C longer.',
      name: 'Plan.txt',
      document: document['id'],
    });
    expect(version['id']).toBe(document['id']);

    const link = await act('create_link', {
      document: document['id'],
      email_required: true,
      fields: { name: 'For Ann', max_visitors: '5', password: '0042' },
    });
    expect(link).toMatchObject({ name: 'For Ann', document_id: document['id'], email_required: true });
    expect(link['url']).toMatch(/^http/);
    const changed = await act('update_link', { link: link['id'], email_required: false });
    expect(changed).toMatchObject({ id: link['id'], email_required: false });
    for (let time = 0; time < 2; time++)
      expect(await act('delete_link', { link: link['id'] })).toEqual({ id: link['id'], deleted: true });
    expect(await pick('link', 'For Ann')).toBeUndefined();
  });

  test('a room gets a folder, a file, a group and its permissions', async () => {
    await act('create_room', { name: 'Due Diligence', description: 'For Northwind' });
    const room = await pick('room', 'Due Diligence');
    await act('upload_document', { file: 'data:,Numbers.', name: 'Numbers.txt' });
    const document = await pick('document', 'Numbers');
    expect(await act('add_room_folder', { room, name: 'Finance' })).toMatchObject({ name: 'Finance', room_id: room });
    const choices = (field: string, key: string) =>
      zap.run<{ results: { id: string; label: string }[] }>(
        `creates.${key}.operation.inputFields.${field}.choices.perform`,
        { inputData: { room } },
      );
    const { results: folders } = await choices('2', 'add_room_file');
    expect(folders.map(({ label }) => label)).toEqual(['Finance']);
    expect(await act('add_room_file', { room, document, folder: folders[0]?.id })).toMatchObject({ room_id: room });
    for (const name of ['Investors', 'Counsel'])
      expect(await act('add_room_group', { room, name, emails: [`${name}@x.example`] })).toMatchObject({ name });
    const { results: groups } = await choices('1', 'set_room_permissions');
    expect(groups.map(({ label }) => label)).toEqual(['Investors', 'Counsel']);
    const set = (group: string | undefined, access: string) => act('set_room_permissions', { room, group, access });
    expect(await set(groups[0]?.id, 'view')).toMatchObject({ entry_count: 1 });
    expect(await set(groups[1]?.id, 'download')).toMatchObject({ entry_count: 2 });
    expect(await set(groups[0]?.id, 'none')).toMatchObject({ entry_count: 2 });
  });

  test('an agreement is created from a template and sent to named signers', async () => {
    await act('upload_document', { file: 'data:,Between us.', name: 'NDA.txt' });
    await act('create_template', { name: 'NDA', document: await pick('document', 'NDA'), description: 'Mutual' });
    const template = await pick('template', 'NDA');
    expect(await act('update_template', { template, name: 'Mutual NDA' })).toMatchObject({ name: 'Mutual NDA' });
    await act('create_agreement', { name: 'NDA with Ann', template, signer_emails: ['Ann Lee <ann@x.example>'] });
    const agreement = await pick('agreement', 'NDA with Ann');
    expect(await act('send_agreement', { agreement, message: 'Please sign' })).toMatchObject({ id: agreement });
    expect(await act('delete_template', { template })).toEqual({ id: template, deleted: true });
    const listed = await zap.trigger('new_agreement');
    expect(listed[0]).toMatchObject({ id: agreement, name: 'NDA with Ann', status: 'sent' });
  });

  test('a proposal is created with prices and sent', async () => {
    await act('create_proposal', {
      name: 'Relaunch',
      recipient_emails: ['ann@x.example'],
      items: [{ item_name: 'Design', quantity: 2, unit_price: 900 }],
    });
    const proposal = await pick('proposal', 'Relaunch');
    expect(await act('send_proposal', { proposal })).toMatchObject({ id: proposal });
    const [listed] = await zap.trigger('new_proposal');
    expect(listed).toMatchObject({ id: proposal, name: 'Relaunch', status: 'sent' });
  });

  test('a contact is created, changed and tagged', async () => {
    await act('create_contact', { email: 'ann@x.example', name: 'Ann Lee', tags: ['lead'] });
    const contact = await pick('contact', 'Ann Lee');
    await act('update_contact', { contact, company: 'Northwind', tags: 'vip' });
    await act('add_contact_tags', { contact, tags: ['investor', 'investor '] });
    const [listed] = await zap.trigger('new_contact');
    expect(listed).toMatchObject({ id: contact, email: 'ann@x.example', name: 'Ann Lee', company: 'Northwind' });
    expect(JSON.stringify(listed)).toContain('"lead","vip","investor"');
  });

  test('a file is shared in one step', async () => {
    const shared = await act('share_document', { file: 'data:,Look.', name: 'Look.txt', fields: { name: 'Peek' } });
    expect(shared).toMatchObject({ name: 'Peek', email_required: true, document_name: 'Look.txt' });
    expect(shared['document_id']).toBe(await pick('document', 'Look.txt'));
  });
});
