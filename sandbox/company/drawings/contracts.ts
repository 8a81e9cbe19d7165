import { WORKSPACE_OWNER } from '../sender.ts';
import type { FlowText } from './flow.ts';

/** Made up for the sandbox, in words of our own: no lawyer has read them. */
const NOTE = 'An invented document of an invented company. It is no legal advice and binds no one.';

const PARTIES = [`${WORKSPACE_OWNER.name} AS: name, place and date`, 'The other party: name, place and date'];

export const MUTUAL_NDA: FlowText = {
  title: 'Mutual non-disclosure agreement',
  subtitle: NOTE,
  serif: true,
  signatures: PARTIES,
  text: `
# 1. Why we sign this

${WORKSPACE_OWNER.name} AS and the other party are about to talk about working together. To do so openly, each will
show the other things that are not public. This agreement says how both keep them.

# 2. What is confidential

Everything that one party shows the other in writing, in speech, in a data room or on a visit, and that is
marked as confidential or that anyone would take to be so: plans, prices, drawings, source code, forecasts,
names of customers and the fact that we talk at all.

It does not matter whether it was shown before or after this day.

# 3. What is not

What is public without a breach of this agreement; what the receiver knew already and can show so; what a
third party gave who was free to give it; and what the receiver found out alone, without use of what was
shown.

# 4. What the receiver does

The receiver uses what was shown to weigh the work together, and for nothing else. It shows it only to those
of its own people and advisers who need it for that, who are few, and who are bound as strictly as this
agreement binds.

It guards it as it guards its own secrets, and no less than carefully. It takes nothing apart to learn how it
is made.

# 5. When a court or an authority asks

Who must hand something over by law says so to the other party first, where that is allowed, hands over as
little as the law demands, and asks for it to be kept confidential.

# 6. Giving back

Within fourteen days of being asked, the receiver gives back or destroys what it holds, copies included, and
says so in writing. One copy may stay with its lawyers as evidence, and backups until they are overwritten;
for both this agreement goes on.

# 7. Nothing is promised

No party has to make a deal, and no licence or other right passes by showing something. What is shown is shown
as it is.

# 8. How long

Two years from the last signature. For what was shown in that time the duties last three years more, and for
trade secrets as long as they are secret. Each party can end the talks at any time; that shortens nothing.

# 9. When it is broken

Money alone would not mend a breach. The party that is harmed may also ask a court to stop it at once, without
having to show the loss first.

# 10. The rest

Changes need writing and both signatures. If a clause falls, the others stand, and a fair one takes its place.
No party passes this agreement on without the other. The law of Norway applies; the courts of Bergen decide.
Signatures on a screen are as good as those on paper.
`,
};

export const SERVICES_AGREEMENT: FlowText = {
  title: 'Master services agreement',
  subtitle: NOTE,
  serif: true,
  signatures: PARTIES,
  text: `
# 1. What this is

This agreement holds for every order under which the customer uses the port call platform of ${WORKSPACE_OWNER.name} AS
("the provider"). An order names the harbours, the term and the price. Where an order and this agreement
differ, the order wins for itself alone.

# 2. The service

The provider runs the platform, keeps it current and gives the customer access to it for the term of the
order. It may change how the service works as long as nothing that the customer relies on gets worse.

Forecasts are made with care from tides, weather and past calls. They are forecasts: the master of a ship and
the harbour decide alone.

# 3. Access

The customer names the people who may use the platform and keeps their access data safe. Accounts are
personal. The customer says so at once when it thinks that someone else has got in.

# 4. Availability

In each calendar month the platform answers for 99.8 percent of the time. Announced work between one and four
at night does not count, nor does what neither party can help.

For every full hour below that, the customer gets back two percent of the month's price, up to the whole of
it. If this happens in three months of a year, the customer may end the order.

# 5. Support

Questions are answered on working days within four hours. A fault that stops all planning is worked on at any
hour, beginning within thirty minutes of the call. The provider tells every two hours how far it has come.

# 6. Prices

Prices stand in the order, in US dollars, without taxes. They are paid a year ahead, thirty days after the
invoice. Once a year, with ninety days' notice, the provider may raise them by as much as consumer prices
rose, and by three percent at most.

On late payments runs interest of one percent a month. Before the provider switches anything off for lack of
payment it warns twice, two weeks apart.

# 7. Data of the customer

What the customer enters or connects stays its own. The provider uses it to run the service, and, with names
taken out and many customers mixed, to make the forecasts better. It sells nothing of it.

The customer can take its data out at any time in a common format, and for sixty days after the end.

# 8. Personal data

Where the provider handles personal data for the customer, it does so on the customer's word alone, in the
European Economic Area, with the safeguards of appendix B. It tells of a breach within thirty-six hours of
knowing of it. New subcontractors are named thirty days ahead, and the customer may object.

# 9. Security

Data is encrypted on its way and at rest. Access is by role, with a second factor, and written down. The
platform is tested by outsiders once a year; the summary goes to the customer when asked for. Backups are made
each night and are tried out each quarter.

# 10. Rights

The platform, its models and its documents belong to the provider. The customer may use them for its own
business during the term, and no further. It does not copy, lend or rebuild them. What the customer suggests
may be used freely by the provider.

# 11. Warranties

Each party may enter into this agreement. The provider warrants that the service does what its description
says and that, as far as it knows, no one else's rights are in the way. If someone claims otherwise, the
provider answers the claim and bears the cost.

# 12. Liability

For intent, gross negligence and harm to people each party is liable without limit. Otherwise each is liable
for up to what was paid or due in the twelve months before the harm, and not for lost profit or for delay of
ships.

The limit does not hold for breaches of clauses 7, 8 and 14, where it is three times as high.

# 13. Term and end

An order runs for its term and then year by year, unless one party ends it with ninety days' notice. Either
may end it at once if the other breaks it badly and does not mend that within thirty days of a warning, or
can't pay its debts.

What was paid for the time after such an end by the customer comes back to it.

# 14. Confidentiality

Both keep confidential what they learn of each other, use it for this agreement alone, and go on doing so for
three years after it ends.

# 15. What no one can help

Neither party is liable while storm, war, strike at third parties or an order of the state keeps it from doing
its part. It says so at once. After sixty days the other may end the order.

# 16. The rest

Changes need writing. Notices go to the addresses in the order and count from the next working day. The
customer may pass this agreement on with its whole business. The law of Norway applies; before going to the
courts of Bergen, both send someone who can decide to talk for one day.

# Appendix A. Service description

The platform takes position signals, terminal messages and gauges in; gives forecasts of arrival, berth, crane
and gate for 72 hours; keeps one plan that each party can confirm; and measures waiting time per call. It is
used in a browser of the last two years or through its interface.

# Appendix B. Safeguards

Separate keys for each customer; staff trained each year; doors, rooms and devices under control; deletion
within thirty days of the end; a plan for emergencies that is rehearsed; an officer for data protection,
reached under the provider's address.
`,
};
