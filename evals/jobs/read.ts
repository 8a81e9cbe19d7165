import type { Job } from '../job.ts';

const read = (id: string, request: string, says: readonly RegExp[], answer: string, more: Partial<Job> = {}): Job => ({
  id,
  subject: 'read',
  request,
  says,
  oracle: async () => answer,
  ...more,
});

/** Questions whose answers are in the example company. */
export const reading: readonly Job[] = [
  read(
    'who-read-all-of-the-deck',
    'Did anybody at Harbor & Pine read our Series B pitch deck all the way through? Who?',
    [/amara bianchi/i],
    'Amara Bianchi read all twelve pages.',
  ),
  read(
    'jonas-jensen-deck',
    'Which page of the Series B deck did Jonas Jensen spend the longest on, over all his visits?',
    [/\bpage 1\b|first page/i],
    'Page 1, for 77 seconds.',
  ),
  read(
    'last-reader-of-the-model',
    'Who was the last person to open the financial model, as far as we know their name?',
    [/maya fischer/i],
    'Maya Fischer.',
  ),
  read(
    'unsigned-agreements',
    'Which agreements are out for signature but not signed yet, and who are we waiting for?',
    [/bruno gupta|bruno\.gupta/i, /daniel tanaka|daniel\.tanaka/i],
    'Mutual NDA with Lumen Robotics (Bruno Gupta) and the services agreement with Northwind Capital (Daniel Tanaka).',
    { neverSays: [/waiting (for|on) (grace adler|ines costa)/i] },
  ),
  read(
    'open-links',
    'Are there share links that anybody could open without an email address or a password? Which ones?',
    [/floor plan/i, /mutual nda/i],
    'Harbour office floor plan for Atlas Freight, and Mutual NDA for Kite Health.',
    {
      check: ({ answer }) => [
        /whitepaper for northwind[^.]*\b(open to anyone|no (gate|email))/i.test(answer) && 'Names a gated link',
        /financial model/i.test(answer) && !/password/i.test(answer) && 'Names a link that has a password',
      ],
    },
  ),
  read(
    'expired-links',
    'Has any of our share links expired already?',
    [/pitch deck/i, /harbor/i],
    'Yes: Series B pitch deck for Harbor & Pine.',
  ),
  read(
    'proposal-value',
    'What does our proposal for Verde Energy add up to?',
    [/10[,.]?450/],
    '50 × 29 + 2 × 1,800 + 12 × 450 = 10,450 USD.',
  ),
  read(
    'accepted-proposals',
    'Which of our offers have been accepted so far?',
    [/harbor/i],
    'The proposal for Harbor & Pine.',
    { neverSays: [/verde energy (has )?accepted/i] },
  ),
  read(
    'investors-by-phone',
    'I want to ring our investors today. Give me names and numbers of those who have a phone number.',
    [/0154/, /0130/, /0146/, /0115/],
    'Bruno Gupta +1 555 0154, Oscar Petrov +1 555 0130, Amara Bianchi +1 555 0146, Femi Rossi +1 555 0115.',
    { neverSays: [/0164|0142/] },
  ),
  read(
    'room-readers',
    'Who can get into the Lumen Robotics onboarding room, and what is in it?',
    [
      /grace\.adler|grace adler/i,
      /ines\.costa|ines costa/i,
      /bruno\.gupta|bruno gupta/i,
      /pitch deck/i,
      /financial model/i,
    ],
    'Grace Adler, Ines Costa and Bruno Gupta; it holds the Series B pitch deck and the financial model.',
  ),
  read(
    'oscar-petrov',
    'What has Oscar Petrov from Atlas Freight looked at?',
    [/financial model/i, /product overview/i, /whitepaper/i, /nda/i],
    'Financial model, Product overview, Security whitepaper and the Mutual NDA.',
  ),
  read(
    'pages-of-the-contract',
    'How many pages does our master services agreement have?',
    [/\b(3|three)\b/i],
    'Three pages.',
  ),
  read(
    'who-has-not-opened',
    'I shared the security whitepaper with Northwind Capital. Has anyone from Northwind actually opened that link?',
    [/\bno(t|body|ne)?\b|n't/i],
    'No. Only Jonas Dubois, Grace Novak and Oscar Petrov opened it, and none of them is at Northwind.',
  ),
  read(
    'returning-reader',
    'Somebody came back for a second look at the product overview. Who?',
    [/ines costa|ines\.costa/i],
    'Ines Costa.',
  ),
  read(
    'nda-of-grace',
    'When did Grace Adler sign the NDA? I only need to know roughly how long ago.',
    [
      /24 days|three weeks|3\.5 weeks|3 and a half weeks|24th day|23 days|about 3 weeks|more than three weeks|nearly (four|4) weeks|november 1\b|1 nov|2026-11-01|nov(ember)? 1/i,
    ],
    '24 days ago.',
  ),
  read(
    'drop-off',
    'On which page do most readers of the financial model give up?',
    [/\b(4|5|four|five|fourth|fifth)\b/i],
    'Most stop on page 4 or 5.',
  ),
];
