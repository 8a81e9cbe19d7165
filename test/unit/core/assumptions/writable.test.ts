import { expect, test } from 'vitest';
import { FORM_BODIES, getSigningBodies } from '../../../../src/assumptions/index.ts';
import { getWritableFields, isSetByService } from '../../../../src/assumptions/writable-fields.ts';
import { learnedProfile, object } from '../../../support/learned-service.ts';

const profile = learnedProfile('https://api.example.com/api/v1');
const namesOf = (operation: Parameters<typeof getWritableFields>[1], learned = profile) =>
  getWritableFields(learned, operation).map(({ name, knownBy }) => `${knownBy} ${name}`);

test.each(
  'id ids object url share_url shareUrl status createdAt created_by updated_at sent_at view_count total version revision _links x-internal last_seen_at PasswordRequired etag'.split(
    ' ',
  ),
)('%s is set by the service', (name) => expect(isSetByService(name)).toBe(true));

test.each(
  'name document_id folderId expires_at expiresAt expiry first_name last_name max_visitors nda_required tags email parent_id'.split(
    ' ',
  ),
)('%s may be set by a caller', (name) => expect(isSetByService(name)).toBe(false));

test('a form becomes a body in each notation that services use', () => {
  const [, group] = FORM_BODIES.roomGroup({ name: 'A', emails: ['a@b.test'] });
  expect(group).toEqual({ name: 'A', members: [{ email: 'a@b.test' }] });
  expect(FORM_BODIES.contact({ name: ' Ann  van Lee ' })[2]).toMatchObject({ first_name: 'Ann', last_name: 'van Lee' });
  expect(FORM_BODIES.contact({ email: 'a@b.test' })[2]).toEqual({ email: 'a@b.test' });
  const ann = { email: 'a@b.test' };
  expect(FORM_BODIES.send({ message: 'Hi' })).toEqual([{ message: 'Hi' }]);
  expect(FORM_BODIES.send({ recipients: [ann] })[2]).toEqual(ann);
  const fields = { name: 'title', template: 't', document: 'd', signers: 'people', subject: 's', message: 'note' };
  const signer = { email: 'email', name: 'name', role: 'role', order: 'order' };
  const form = { name: 'NDA', template: 't1', document: undefined, signers: [ann], subject: 'S', message: 'Hi' };
  // Subject and message may belong to the send.
  expect(getSigningBodies(form, { fields, signer })).toContainEqual({ title: 'NDA', t: 't1', people: [ann] });
  // A form for one person would lose the others.
  expect(FORM_BODIES.send({ recipients: [ann, ann] })).toHaveLength(2);
});

test('fields of accepted bodies precede observed fields, and gates precede other common fields', () => {
  expect(namesOf('links.create')).toEqual([
    'documented document_id',
    'documented email_required',
    'accepted label',
    'accepted visitor_cap',
    'observed expires_at',
    'observed passphrase',
    'observed watermark',
  ]);
  expect(namesOf('links.update').slice(0, 4)).toEqual([
    'documented email_required',
    'observed visitor_cap',
    'observed expires_at',
    'observed label',
  ]);
});

test('a documented field has the schema that was observed', () => {
  const field = getWritableFields(profile, 'links.create').find(({ name }) => name === 'email_required');
  expect(field).toMatchObject({ knownBy: 'documented', schema: { type: 'boolean' } });
});

test('operations that send, or that add to a part of an object, do not take the fields of the object', () => {
  const folder = object({ id: { type: 'string' }, name: { type: 'string' } });
  const learned = { ...profile, resources: { ...profile.resources, folder, tag: folder, permission: folder } };
  expect(namesOf('agreements.send')).toEqual([]);
  expect(namesOf('contacts.addTags', learned)).toEqual([]);
  expect(namesOf('rooms.setPermissions', learned)).toEqual([]);
  expect(namesOf('rooms.addFolder', learned)).toEqual(['observed name']);
});
