import { WORKSPACE_OWNER } from '../sender.ts';
import type { FlowText } from './flow.ts';

export const SECURITY_WHITEPAPER: FlowText = {
  title: 'Security at work in a harbour',
  subtitle: `How ${WORKSPACE_OWNER.name} keeps the plan of a port right, private and at hand. Third edition, 2026.`,
  text: `
# In short

A port plan is worth stealing, and worth more to falsify. We therefore guard three things in this order: that
the plan is right, that it can be reached, and that it stays among those it concerns.

This paper says what we do for each, what we leave to the harbour, and how anyone can check it.

# Who might harm a plan

We work from four pictures. A thief who wants to know which container stands where. A competitor who wants to
see prices. A saboteur who wants ships to wait. And, by far the most common, a tired person who presses the
wrong key at four in the morning.

Each measure below names the picture that it is for. A measure that is for none is removed.

# Right: every change has an author

The plan is a list of changes, each signed by whom it came from. Nothing is overwritten. Who looks at
Tuesday's plan on Friday sees what was known on Tuesday, and why it changed.

Changes that move more than six ships, or one ship by more than twelve hours, need a second person. That takes
eleven seconds on average and has stopped 214 mistakes in three years, none of them by an attacker.

# Right: no signal is believed alone

Position signals can be forged by anyone with a radio. We compare them with tide, engine and past voyages, and
with a second source where there is one. A ship that jumps is shown as a ship that jumps; it does not move the
plan.

# At hand: the plan works without us

Every harbour keeps a copy of its next 72 hours on a machine of its own. When the line is cut, the copy goes
on and collects changes; when it is back, both are laid over each other and differences are shown to a person.

Twice a year we cut the line on purpose, with a day's notice. The longest silent run so far was nineteen
hours, by a storm, in Selmark.

# At hand: where it runs

The service runs in two places 900 kilometres apart. Each carries all the load alone. We change sides every
four weeks, so that the way is always worn in. Last year the platform could be reached for 99.97 percent of
the time.

# Private: who sees what

A carrier sees its own ships, the harbour sees all of its own, a truck sees its slot and its gate. These lines
are kept in the database itself and not only in the pages, so that a fault in a page can't cross them.

Keys for interfaces carry the narrowest scope that does the job. They can be turned over without a pause, and
we ask for it twice a year.

# Private: what we ourselves can see

Our people see no customer's plan unless that customer opens it to them, for a day at most, and can watch what
they do. In 2025 this happened 61 times.

# Encryption

On the way: current TLS only. At rest: a key for each customer, kept in hardware that we can't read. Backups
have keys of their own, one half of each in another country. When a customer leaves, the key is destroyed, and
with it every copy.

# People

Who begins with us has their history checked as far as the law allows, learns for two days before touching
anything, and gets access by role and for the role's time. Second factors are small devices, not messages.
When someone leaves, everything ends within the hour.

# How we find faults

Each change is read by a second person and tried by some nine thousand tests. Outsiders attack us once a year
for three weeks; findings of the last round: none grave, two middling, nine small. All were mended within 30
days.

Whoever finds a fault alone writes to security@${WORKSPACE_OWNER.domain}. We answer within a day, thank in money, and
sue no one who acts in good faith.

# When something happens

A person on duty decides within fifteen minutes whether it is an incident. Customers who may be touched hear
of it within four hours, before we know everything, and every four hours from then on. Afterwards they get a
report that names the cause, and no one's guilt.

# What the harbour does

It names who may plan, and takes names off the list. It keeps the machine with the copy behind a locked door.
It rehearses a day without the platform. And it calls us when something looks odd: five of our seven last real
findings began with such a call.

# Numbers to check us by

Availability, incidents, time to mend, number of looks into customers' plans and date of the last rehearsal
stand on one public page and are counted by a program that we can't stop without that showing too.
`,
};

export const PRODUCT_OVERVIEW: FlowText = {
  title: `${WORKSPACE_OWNER.name} in two pages`,
  subtitle: 'What it does, for whom, and what changes on the first Monday.',
  text: `
# One plan

Ships, pilots, tugs, cranes, gates and trucks each have a plan. They rarely have the same one. The platform
keeps one that all of them see, each their own part, and moves it when the world does.

A call begins as a wish, becomes a forecast, is confirmed by those who have to do something, and ends as a
record that all agree on.

# For the harbour master

A wall with the next 72 hours: berths from top to bottom, time from left to right. What is confirmed is solid,
what is forecast is hatched, and what can't work is red with a reason. Drag a ship, and everyone who is
touched is asked at once.

# For the carrier

An arrival time worth trusting, early enough to slow down. Ships that follow it burn nine percent less on the
last day. The saving is shown for each call.

# For the terminal

Crane hours that match what comes. Shifts can be called in at noon for the next morning instead of at ten at
night.

# For the truck

A message with a gate, a lane and a quarter of an hour. Drivers need no account; the number plate is enough.

# The first two weeks

Day 1: we connect position signals and gauges; nothing to install. Day 3: the first forecast beside your own
plan. Day 6: pilots and tugs confirm in the platform. Day 10: carriers see their ships. Day 14: a look back,
with numbers, and your decision whether to stay.

# What it connects with

Terminal systems through files or an interface, position receivers of any maker, tide gauges, customs
messages, calendars, chat. The interface is open; examples in six languages come with it.

# What it does not do

It does not steer ships, does not replace the harbour master, and does not know the future. It says how sure
it is, and is measured by that.

# What others found

In the first year 45 harbours together saved 61,000 hours of waiting. The best one halved its queue; the worst
one saved four percent and learned that its problem was a bridge.
`,
};
