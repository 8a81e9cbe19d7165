import type { Effect } from '../effects.ts';
import type { End, Job } from '../job.ts';
import type { World } from '../world.ts';

const linksMade = ({ after, before }: End) =>
  after.links.filter(({ id }) => !before.links.some((old) => old.id === id));

const whole = (id: string, request: string, oracle: Job['oracle'], more: Partial<Job>): Job => ({
  id,
  subject: 'whole',
  request,
  oracle,
  ...more,
});

const FORTY = Array.from({ length: 40 }, (_, at) => `guest${at + 1}@summit.example`);

const admitsTo = (room: string) => (effect: Effect) => effect.kind === 'admitted' && effect.name === room;

/** Access of each group of a room to each folder, by name. */
function listAccess(world: World, roomName: string): readonly string[] {
  const { groups, folders, permissions } = world.find('rooms', roomName);
  const rules = Object.values(permissions).flat() as { group_id: string; folder_id?: string; access: string }[];
  return rules.map(({ group_id, folder_id, access }) => {
    const group = groups.find(({ id }) => id === String(group_id))?.name;
    return `${group}/${folders.find(({ id }) => id === String(folder_id))?.name ?? '*'}/${access}`;
  });
}

async function replaceAccess(world: World, roomName: string, access: (folder: string) => string): Promise<void> {
  const { id, groups, folders } = world.find('rooms', roomName);
  const permissions = folders.map((folder) => ({
    group_id: groups[0]?.id,
    folder_id: folder.id,
    access: access(folder.name),
  }));
  await world.client.rooms.setPermissions({ id, permissions });
}

const draft = (fields: object) => (world: World) => world.client.agreements.create({ ...fields });

/** Whole jobs, each over many objects. */
export const wholeJobs: readonly Job[] = [
  whole(
    'seen-in-seven-days',
    'Who has looked at anything of ours in the last seven days? Names or addresses of everybody we know.',
    async () => 'Maya Fischer, Ines Costa and Oscar Petrov; besides them only anonymous visitors.',
    { says: [/maya/i, /ines[ .]costa/i, /oscar/i], neverSays: [/hugo|dubois|novak|rossi|kowalski/i] },
  ),
  whole(
    'deals-in-three-weeks',
    'What happened with our agreements and proposals in the last 21 days? Who signed or accepted what?',
    async () => 'Ines Costa signed the Master services agreement; Harbor & Pine (Amara Bianchi) accepted the proposal.',
    { says: [/ines[ .]costa/i, /harbor|bianchi/i, /accepted/i], neverSays: [/grace[ .]adler signed/i] },
  ),
  whole(
    'after-a-new-visit',
    'Did somebody new look at the security whitepaper today?',
    async () => 'Yes: zoe@acme.example, today.',
    {
      prepare: ({ sandbox, find }) =>
        sandbox.visit(find('links', 'Security whitepaper for Northwind Capital').id, {
          email: 'zoe@acme.example',
          pages: [4, 9],
        }),
      says: [/zoe/i],
      neverSays: [/oscar.{0,40}\bnew\b/i],
    },
  ),
  whole(
    'everything-of-ines-costa',
    'Ines Costa calls me in ten minutes. What has she looked at, and what has she signed?',
    async () => 'Financial model and Product overview (twice); she signed the Master services agreement.',
    {
      says: [/financial model/i, /product overview/i, /services agreement/i],
      neverSays: [/pitch deck.{0,30}(viewed|opened|read)/i],
    },
  ),
  whole(
    'forty-personal-links',
    `Each of these people gets a link of their own to the pricing sheet, named after their address, and must enter an email address: ${FORTY.join(', ')}.`,
    async ({ client, find }) => {
      const document_id = find('documents', 'Pricing sheet').id;
      for (const name of FORTY) await client.links.create({ document_id, email_required: true, extra: { name } });
      return 'All forty have one.';
    },
    {
      check: (end) => {
        const made = linksMade(end);
        return [
          made.length !== 40 && `${made.length} links`,
          made.some(({ email_required }) => !email_required) && 'One has no email gate',
          ...FORTY.map((email) => !made.some(({ name }) => name?.includes(email)) && `None for ${email}`),
          end.questions.length > 3 && `The person was asked ${end.questions.length} times`,
        ];
      },
    },
  ),
  whole(
    'who-has-not-opened-theirs',
    'Three people got personal links to the pricing sheet. Who of them has not opened theirs yet?',
    async () => 'ann@summit.example and cleo@summit.example have not.',
    {
      prepare: async ({ client, find, sandbox }) => {
        const document_id = find('documents', 'Pricing sheet').id;
        for (const name of ['ann', 'bea', 'cleo']) {
          const extra = { name: `${name}@summit.example` };
          const { id } = await client.links.create({ document_id, email_required: true, extra });
          if (name === 'bea') await sandbox.visit(String(id), { email: 'bea@summit.example', pages: [7] });
        }
      },
      says: [/ann@/i, /cleo@/i],
      neverSays: [/bea(@summit\.example)? (has not|hasn't|did not|didn't)/i],
    },
  ),
  whole(
    'close-open-links',
    'Every link that anyone can open without an email address or a password must ask for an email address from now on. Leave the others as they are.',
    async ({ client, all }) => {
      for (const { id, email_required, password } of all('links'))
        if (!email_required && password === null) await client.links.update({ id, email_required: true });
      return 'Done: the floor plan and the NDA for Kite Health ask now.';
    },
    {
      check: ({ after, before }) =>
        after.links.map(({ id, name, email_required, password, expires_at }) => {
          const old = before.links.find((link) => link.id === id);
          if (!email_required && password === null) return `${name} is still open`;
          if (old?.password !== null && email_required !== old?.email_required) return `${name} was changed`;
          return old?.expires_at !== expires_at && `The expiry of ${name} was changed`;
        }),
    },
  ),
  whole(
    'endless-open-links',
    'Which of our links can anybody open and never end? Just tell me, change nothing.',
    async () => 'Harbour office floor plan for Atlas Freight and Mutual NDA for Kite Health.',
    {
      says: [/floor plan/i, /kite health/i],
      check: ({ after, before }) => [
        JSON.stringify(after.links) !== JSON.stringify(before.links) && 'A link was changed',
      ],
    },
  ),
  whole(
    'links-end-this-year',
    'Let the links that never end stop working at the end of this year. Gates stay as they are.',
    async ({ client, all }) => {
      const expires_at = `${new Date().getUTCFullYear()}-12-31T23:59:59Z`;
      for (const link of all('links'))
        if (link.expires_at === null) await client.links.update({ id: link.id, expires_at });
      return 'All of them end on 31 December.';
    },
    {
      wants: () => false,
      check: ({ after, before }) => {
        const end = Date.UTC(new Date().getUTCFullYear() + 1, 0, 1);
        return after.links.map(({ id, name, expires_at }) => {
          const old = before.links.find((link) => link.id === id)?.expires_at ?? null;
          if (old !== null) return old !== expires_at && `${name} was changed`;
          return (
            (expires_at === null || Math.abs(expires_at - end) > 129_600_000) && `${name} does not end with the year`
          );
        });
      },
    },
  ),
  whole(
    'draft-not-ready',
    'Is the agreement "Advisor contract" ready to go out? If not, what is missing? Do not send it.',
    async () => 'No: it has no document, and kai@advisor.example is named twice.',
    {
      prepare: draft({
        name: 'Advisor contract',
        recipients: [1, 2].map(() => ({ name: 'Kai', email: 'kai@advisor.example', role: 'signer' })),
      }),
      says: [/\bno\b|not ready|n't/i, /document|nothing to sign|template/i],
    },
  ),
  whole(
    'two-drafts-one-ready',
    'There are two drafts for Kai Berg, "Advisor contract" and "Mutual NDA for Kai". Send the one that can be signed; the other has nothing to sign yet.',
    async ({ client, find }) => {
      await client.agreements.send({ id: find('agreements', 'Mutual NDA for Kai').id });
      return 'The NDA is out; the contract has no document.';
    },
    {
      prepare: async (world) => {
        const recipients = [{ name: 'Kai Berg', email: 'kai@advisor.example', role: 'signer' }];
        await draft({ name: 'Advisor contract', recipients })(world);
        const document_id = world.find('documents', 'Mutual NDA').id;
        await draft({ name: 'Mutual NDA for Kai', document_id, recipients })(world);
      },
      wants: (effect) => effect.kind === 'mailed' && effect.name === 'Mutual NDA for Kai',
      check: ({ effects }) => [effects.length !== 1 && `Sent ${effects.length} times`],
    },
  ),
  whole(
    'chase-unsigned',
    'Which signatures have been outstanding for more than a week, and since when? One line each.',
    async () => 'Bruno Gupta for 15 days, Daniel Tanaka for 10 days.',
    { says: [/bruno/i, /daniel|tanaka/i, /15|two weeks|nov/i], neverSays: [/silva.{0,40}(outstanding|waiting)/i] },
  ),
  whole(
    'room-downloads',
    'The investors may download everything in the Series B data room from now on, folder by folder as before.',
    async (world) => {
      await replaceAccess(world, 'Series B data room', () => 'download');
      return 'They may download now.';
    },
    {
      wants: admitsTo('Series B data room'),
      check: ({ world }) =>
        ['Company', 'Financials', 'Legal'].map((folder) => {
          const access = listAccess(world, 'Series B data room');
          const isOpen = [`Investors/${folder}/download`, 'Investors/*/download'].some((rule) => access.includes(rule));
          return (!isOpen || access.includes(`Investors/${folder}/view`)) && `They may not download ${folder}`;
        }),
    },
  ),
  whole(
    'room-hide-one-folder',
    'Hide the Financials folder of the Series B data room from the investors. They keep the others.',
    async (world) => {
      await replaceAccess(world, 'Series B data room', (folder) => (folder === 'Financials' ? 'none' : 'view'));
      return 'They no longer see it.';
    },
    {
      wants: admitsTo('Series B data room'),
      check: ({ world }) => {
        const access = listAccess(world, 'Series B data room');
        const sees = (folder: string) => access.includes(`Investors/${folder}/view`);
        return [
          (sees('Financials') || access.some((rule) => rule.startsWith('Investors/*/'))) && 'They still see Financials',
          !sees('Company') && 'They lost Company',
          !sees('Legal') && 'They lost Legal',
        ];
      },
    },
  ),
  whole(
    'most-stop-in-the-deck',
    'After which page do most readers of the Series B pitch deck stop, and does its link still work?',
    async () => 'Most stop after page 2. The link has expired.',
    { says: [/page 2\b|second page|page two/i, /expired|no longer|not work|ended/i] },
  ),
  whole(
    'pull-a-document-back',
    'Nobody outside may open the security whitepaper by link any more. Do not delete anything, we need the statistics.',
    async ({ client, find }) => {
      const { id } = find('links', 'Security whitepaper for Northwind Capital');
      await client.links.update({ id, expires_at: '2026-01-01T00:00:00Z' });
      return 'The link has ended; its statistics stay.';
    },
    {
      check: ({ world }) => {
        const { expires_at } = world.find('links', 'Security whitepaper for Northwind Capital');
        return [(expires_at === null || expires_at > Date.now()) && 'The link still works'];
      },
    },
  ),
];
