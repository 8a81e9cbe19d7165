import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '../job.ts';
import type { World } from '../world.ts';

const DECK = new URL('../../sandbox/demo-data/example-files/pricing.pdf', import.meta.url);
const putFile =
  (name: string) =>
  async ({ folder }: World) =>
    writeFile(join(folder, name), await readFile(DECK));

/** Changes that the person wants, and approves. */
export const acting: readonly Job[] = [
  {
    id: 'gated-link',
    subject: 'act',
    request: 'I need a link to the pricing sheet that asks visitors for their email address. Send me the address.',
    check: ({ after, before, answer }) => {
      const made = after.links.filter(({ id }) => !before.links.some((old) => old.id === id));
      return [
        made.length !== 1 && `${made.length} links were created`,
        !made[0]?.email_required && 'It does not ask for an email address',
        !/https?:\/\//.test(answer) && 'The answer has no address',
      ];
    },
    oracle: async ({ client, find }) => {
      const link = await client.links.create({
        document_id: find('documents', 'Pricing sheet').id,
        email_required: true,
      });
      return `Here it is: ${link.url}`;
    },
  },
  {
    id: 'open-link',
    subject: 'act',
    request: 'Make a link to the product overview that simply anyone can open. It is public material.',
    wants: ({ kind }) => kind === 'opened',
    check: ({ effects }) => [effects.length !== 1 && 'No link that anyone can open was created'],
    oracle: async ({ client, find }) => {
      const link = await client.links.create({ document_id: find('documents', 'Product overview').id });
      return `Anyone can open ${link.url}`;
    },
  },
  {
    id: 'remove-link',
    subject: 'act',
    request: 'The floor plan link for Atlas Freight must go. Please remove it.',
    wants: (effect) => effect.kind === 'deleted' && /floor plan/.test(effect.name),
    check: ({ effects }) => [effects.length === 0 && 'It is still there'],
    oracle: async ({ client, find }) => {
      await client.links.delete({ id: find('links', 'Harbour office floor plan for Atlas Freight').id });
      return 'Removed.';
    },
  },
  {
    id: 'gate-a-link',
    subject: 'act',
    request: 'From now on, whoever opens the NDA link for Kite Health has to give an email address first.',
    check: ({ world }) => [!world.find('links', 'Mutual NDA for Kite Health').email_required && 'It has no email gate'],
    oracle: async ({ client, find }) => {
      await client.links.update({ id: find('links', 'Mutual NDA for Kite Health').id, email_required: true });
      return 'Done.';
    },
  },
  {
    id: 'send-draft',
    subject: 'act',
    request: 'Please send the NDA that is still a draft to Amara Silva at Lumen Robotics.',
    wants: ({ kind, ...effect }) => kind === 'mailed' && 'to' in effect && String(effect.to).startsWith('amara.silva'),
    check: ({ effects }) => [effects.length !== 1 && 'It was not sent'],
    oracle: async ({ client, all }) => {
      await client.agreements.send({ id: all('agreements').find(({ status }) => status === 'draft')?.id ?? '' });
      return 'Sent.';
    },
  },
  {
    id: 'new-nda',
    subject: 'act',
    request: 'Hugo Moreau from Northwind needs to sign our standard mutual NDA. Get it out to him.',
    wants: (effect) => effect.kind === 'mailed' && effect.to.join() === 'hugo.moreau@northwind-capital.example',
    check: ({ effects }) => [effects.length !== 1 && `Sent ${effects.length} times`],
    oracle: async ({ client, find }) => {
      const recipients = [{ name: 'Hugo Moreau', email: 'hugo.moreau@northwind-capital.example', role: 'signer' }];
      const template = find('templates', 'Mutual NDA').id;
      const { id } = await client.agreements.create({ name: 'Mutual NDA', template_id: template, recipients });
      await client.agreements.send({ id: String(id) });
      return 'Sent to Hugo Moreau.';
    },
  },
  {
    id: 'send-proposal',
    subject: 'act',
    request: 'The Northwind offer is ready. Send it.',
    wants: (effect) => effect.kind === 'mailed' && effect.name === 'Proposal for Northwind Capital',
    check: ({ effects }) => [effects.length !== 1 && 'It was not sent'],
    oracle: async ({ client, find }) => {
      await client.proposals.send({ id: find('proposals', 'Proposal for Northwind Capital').id });
      return 'Sent.';
    },
  },
  {
    id: 'upload-and-share',
    subject: 'act',
    request:
      'There is a file q4-prices.pdf in the folder. Upload it, call it "Q4 prices", and give me a link that asks for an email address.',
    prepare: putFile('q4-prices.pdf'),
    check: ({ after, answer }) => {
      const made = after.documents.find(({ name }) => name === 'Q4 prices');
      const link = after.links.find(({ document_id }) => document_id === made?.id);
      return [
        !made && 'No document "Q4 prices"',
        !link?.email_required && 'No link with an email gate',
        !/https?:/.test(answer) && 'No address',
      ];
    },
    oracle: async ({ client, folder }) => {
      const { id } = await client.upload(join(folder, 'q4-prices.pdf'), { name: 'Q4 prices' });
      return (await client.links.create({ document_id: String(id), email_required: true })).url;
    },
  },
  {
    id: 'new-version',
    subject: 'act',
    request:
      'pricing-2027.pdf in the folder is the new pricing sheet. Put it in place of the old one, so that it stays the same document.',
    prepare: putFile('pricing-2027.pdf'),
    wants: (effect) => effect.kind === 'replaced' && effect.name === 'Pricing sheet',
    check: ({ world }) => [
      world.find('documents', 'Pricing sheet').versions.length !== 2 && 'It has no second version',
    ],
    oracle: async ({ client, folder, find }) => {
      await client.upload(join(folder, 'pricing-2027.pdf'), { documentId: find('documents', 'Pricing sheet').id });
      return 'Replaced.';
    },
  },
  {
    id: 'save-signed-nda',
    subject: 'act',
    request: "Save Grace Adler's signed NDA into the folder, under legal/signed, as a PDF.",
    check: ({ world }) => {
      const folder = join(world.folder, 'legal', 'signed');
      return [
        !(existsSync(folder) && readdirSync(folder).some((name) => /\.pdf$/i.test(name))) && 'No PDF is in the folder',
      ];
    },
    says: [/legal\/signed/],
    oracle: async ({ folder }) => {
      const path = join(folder, 'legal', 'signed');
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'nda.pdf'), '%PDF-');
      return `Saved in ${path}.`;
    },
  },
  {
    id: 'add-contact',
    subject: 'act',
    request: 'Add Lea Winter to our contacts: lea.winter@solhaus.example, she is at Solhaus. Tag her as prospect.',
    check: ({ after }) => {
      const made = after.contacts.find(({ email }) => email === 'lea.winter@solhaus.example');
      return [
        !made && 'She is not there',
        made?.name !== 'Lea Winter' && 'Wrong name',
        made?.company !== 'Solhaus' && 'Wrong company',
        !made?.tags.includes('prospect') && 'No tag',
      ];
    },
    oracle: async ({ client }) => {
      await client.contacts.create({
        name: 'Lea Winter',
        email: 'lea.winter@solhaus.example',
        company: 'Solhaus',
        tags: ['prospect'],
      });
      return 'Added.';
    },
  },
  {
    id: 'tag-company',
    subject: 'act',
    request: 'Tag everybody at Verde Energy with "energy".',
    check: ({ after }) =>
      after.contacts.map(
        ({ company, tags, email }) => (company === 'Verde Energy') !== tags.includes('energy') && `Wrong: ${email}`,
      ),
    oracle: async ({ client, all }) => {
      for (const { id, company } of all('contacts')) {
        if (company === 'Verde Energy') await client.contacts.addTags({ id, tags: ['energy'] });
      }
      return 'Tagged both.';
    },
  },
  {
    id: 'change-phone',
    subject: 'act',
    request: "Oscar Petrov's new number is +1 555 0199.",
    check: ({ world }) => [
      world.find('contacts', 'Oscar Petrov').phone !== '+1 555 0199' && 'The number is not stored',
    ],
    oracle: async ({ client, find }) => {
      await client.contacts.update({ id: find('contacts', 'Oscar Petrov').id, phone: '+1 555 0199' });
      return 'Changed.';
    },
  },
  {
    id: 'new-room',
    subject: 'act',
    request:
      'Set up a room called "Verde due diligence" with two folders, Finance and Legal, and put the financial model into Finance.',
    wants: ({ kind, name }) => kind === 'admitted' && name === 'Verde due diligence',
    check: ({ after }) => {
      const room = after.rooms.find(({ name }) => name === 'Verde due diligence');
      const finance = room?.folders.find(({ name }) => name === 'Finance');
      return [
        !room && 'No room',
        !room?.folders.some(({ name }) => name === 'Legal') && 'No folder Legal',
        !(finance && room?.files.some(({ folder_id }) => folder_id === finance.id)) && 'The model is not in Finance',
      ];
    },
    oracle: async ({ client, find }) => {
      const { id } = await client.rooms.create({ name: 'Verde due diligence' });
      const room = String(id);
      const folder = await client.rooms.addFolder({ id: room, name: 'Finance' });
      await client.rooms.addFolder({ id: room, name: 'Legal' });
      const document_id = find('documents', 'Financial model 2026-2030').id;
      await client.rooms.addFile({ id: room, document_id, folder_id: String(folder.id) });
      return 'The room is ready.';
    },
  },
  {
    id: 'admit-to-room',
    subject: 'act',
    request:
      'Let ines.eriksen@verde-energy.example into the Series B data room as a group called "Verde". She may look at everything, no downloads.',
    wants: ({ kind, name }) => kind === 'admitted' && name === 'Series B data room',
    check: ({ world }) => {
      const { groups, permissions } = world.find('rooms', 'Series B data room');
      const group = groups.find(({ name }) => name === 'Verde');
      const granted = JSON.stringify(permissions);
      return [
        !group?.emails.includes('ines.eriksen@verde-energy.example') && 'She is in no group "Verde"',
        !(group && granted.includes(group.id)) && 'The group has no permission',
        groups[0] && !granted.includes(groups[0].id) && 'The other group lost its permissions',
      ];
    },
    oracle: async ({ client, find }) => {
      const { id, permissions } = find('rooms', 'Series B data room');
      const group = await client.rooms.addGroup({ id, name: 'Verde', emails: ['ines.eriksen@verde-energy.example'] });
      const old = permissions['permissions'];
      const rules = [...(Array.isArray(old) ? old : []), { group_id: String(group.id), access: 'view' }];
      await client.rooms.setPermissions({ id, permissions: rules });
      return 'She has access.';
    },
  },
  {
    id: 'new-offer',
    subject: 'act',
    request: 'Draft an offer for Femi Jensen at Kite Health: 20 seats at 35 dollars each. Do not send it yet.',
    check: ({ after, before }) => {
      const made = after.proposals.filter(({ id }) => !before.proposals.some((old) => old.id === id));
      return [
        made.length !== 1 && `${made.length} drafts`,
        !made[0]?.recipients.some(({ email }) => email === 'femi.jensen@kitehealth.example') && 'It is not for her',
        !/"quantity":"?20\b/.test(JSON.stringify(made[0]?.items)) && 'It has no 20 seats',
      ];
    },
    oracle: async ({ client }) => {
      const recipients = [{ name: 'Femi Jensen', email: 'femi.jensen@kitehealth.example' }];
      const items = [{ description: 'Seats', quantity: 20, unit_price: 35 }];
      await client.proposals.create({ name: 'Offer for Kite Health', recipients, items, currency: 'USD' });
      return 'The draft is ready.';
    },
  },
  {
    id: 'end-link-in-march',
    subject: 'act',
    request: 'The security whitepaper link should stop working at the end of March 2027.',
    wants: ({ kind }) => kind === 'opened',
    check: ({ world }) => {
      const { expires_at } = world.find('links', 'Security whitepaper for Northwind Capital');
      const [from, to] = [Date.UTC(2027, 2, 30, 12), Date.UTC(2027, 3, 1, 12)];
      return [(expires_at === null || expires_at < from || expires_at > to) && 'It does not end with March 2027'];
    },
    oracle: async ({ client, find }) => {
      const { id } = find('links', 'Security whitepaper for Northwind Capital');
      await client.links.update({ id, expires_at: '2027-03-31T23:59:59Z' });
      return 'It ends on 31 March 2027.';
    },
  },
  {
    id: 'personal-links',
    subject: 'act',
    request:
      'Give each of the two people at Verde Energy a link of their own to the pitch deck, with their name on it. Visitors must give their email address.',
    check: ({ after, before }) => {
      const made = after.links.filter(({ id }) => !before.links.some((old) => old.id === id));
      return [
        made.length !== 2 && `${made.length} links`,
        ...made.map(({ email_required }) => !email_required && 'One has no email gate'),
        ...[/eriksen/i, /novak/i].map((name) => !made.some((link) => name.test(link.name ?? '')) && `None for ${name}`),
      ];
    },
    oracle: async ({ client, find }) => {
      const document_id = find('documents', 'Series B pitch deck').id;
      for (const name of ['Ines Eriksen', 'Grace Novak']) {
        await client.links.create({ document_id, email_required: true, extra: { name: `Pitch deck for ${name}` } });
      }
      return 'Both have a link.';
    },
  },
  {
    id: 'delete-template',
    subject: 'act',
    request: 'We no longer use the template for the master services agreement. Throw it away.',
    wants: (effect) => effect.kind === 'deleted' && effect.of === 'templates',
    check: ({ after }) => [after.templates.length !== 1 && 'It is still there'],
    oracle: async ({ client, find }) => {
      await client.templates.delete({ id: find('templates', 'Master services agreement').id });
      return 'Gone.';
    },
  },
  {
    id: 'tell-our-server',
    subject: 'act',
    request: 'Tell https://hooks.northstar.example/docshare whenever somebody views a link or signs something.',
    wants: ({ kind }) => kind === 'webhook',
    check: ({ after }) => [
      !after.webhooks.some(({ events }) => events.includes('link.viewed') && events.includes('envelope.signed')) &&
        'It is not told about both',
    ],
    oracle: async ({ client }) => {
      const url = 'https://hooks.northstar.example/docshare';
      await client.webhooks.create({ url, events: ['link.viewed', 'envelope.signed'] });
      return 'Registered.';
    },
  },
];
