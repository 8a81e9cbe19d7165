import { WORKSPACE_OWNER } from '../sender.ts';
import { drawBars, drawLine, drawTable } from './charts.ts';
import { ACCENT, GREY, INK, LANDSCAPE, LIGHT, type Pen, WARM } from './pen.ts';

function slide(pen: Pen, title: string, claim: string): void {
  pen.turn(LANDSCAPE);
  pen.fill({ x: 56, y: 44, width: 48, height: 5, colour: WARM });
  pen.write({ text: title, x: 56, y: 58, size: 30, bold: true });
  pen.write({ text: claim, x: 56, y: 98, size: 16, colour: GREY, width: 840 });
}

function cards(pen: Pen, items: readonly (readonly [string, string])[], columns: number): void {
  const [gap, left, wide] = [20, 56, 848];
  const width = (wide - gap * (columns - 1)) / columns;
  const height = items.length > columns ? 140 : 200;
  for (const [index, [head, text]] of items.entries()) {
    const x = left + (index % columns) * (width + gap);
    const y = 156 + Math.floor(index / columns) * (height + gap);
    pen.fill({ x, y, width, height, colour: LIGHT });
    pen.fill({ x, y, width: 4, height, colour: ACCENT });
    const below = pen.write({ text: head, x: x + 18, y: y + 18, size: 19, bold: true, width: width - 36 });
    pen.write({ text, x: x + 18, y: below + 6, size: 15, width: width - 36 });
  }
}

function steps(pen: Pen, names: readonly (readonly [string, string])[]): void {
  const width = 848 / names.length;
  pen.draw({ from: [70, 250], to: [890, 250], colour: ACCENT, width: 4 });
  for (const [index, [when, what]] of names.entries()) {
    const x = 56 + index * width;
    pen.dot({ x: x + 14, y: 250, radius: 12, colour: index === 0 ? WARM : ACCENT });
    pen.write({ text: when, x, y: 206, size: 16, bold: true });
    pen.write({ text: what, x, y: 282, size: 16, width: width - 24 });
  }
}

/** Twelve landscape pages that ask for money. */
export function drawPitchDeck(pen: Pen): void {
  pen.turn(LANDSCAPE);
  pen.fill({ x: 0, y: 0, width: 960, height: 511, colour: INK });
  pen.fill({ x: 72, y: 170, width: 90, height: 8, colour: WARM });
  pen.write({ text: WORKSPACE_OWNER.name, x: 72, y: 200, size: 64, bold: true, colour: '#ffffff' });
  pen.write({ text: WORKSPACE_OWNER.slogan, x: 72, y: 286, size: 26, colour: LIGHT });
  pen.write({ text: 'Series B, autumn 2026. Confidential.', x: 72, y: 440, size: 14, colour: '#a9c3cc' });

  slide(
    pen,
    'The problem',
    'A container ship waits 31 hours for a berth, and half of that wait is paperwork and guesswork.',
  );
  drawBars(pen, {
    x: 100,
    y: 160,
    width: 760,
    height: 270,
    unit: ' h',
    bars: [
      ['Selmark', 19],
      ['Haugvik', 24],
      ['Port Adler', 28],
      ['Santa Lune', 41],
      ['All ports', 31],
    ],
  });

  slide(pen, 'What we do', 'One forecast that the harbour, the carrier and the trucks all work from.');
  cards(
    pen,
    [
      ['Predict', 'Arrival times from tides, weather and 4,000 past calls, right to 22 minutes.'],
      ['Agree', 'Each party confirms its slot in one shared plan. A change reaches everyone in seconds.'],
      [
        'Settle',
        'Waiting time is measured the same way for all, so that invoices are no longer argued over.',
      ],
    ],
    3,
  );

  slide(pen, 'How it works', 'Nothing to install in the harbour: we read what is already there.');
  steps(pen, [
    ['Read', 'Position signals, terminal systems and tide gauges'],
    ['Forecast', 'Berth, crane and gate for the next 72 hours'],
    ['Confirm', 'A slot that each party accepts with one tap'],
    ['Measure', 'Minutes saved, shown to all on one page'],
  ]);

  slide(pen, 'Market', 'Software for port calls grows by a fifth each year.');
  drawBars(pen, {
    x: 100,
    y: 160,
    width: 760,
    height: 270,
    unit: ' bn',
    bars: [
      ['2024', 2.1],
      ['2025', 2.5],
      ['2026', 3.0],
      ['2027', 3.7],
      ['2028', 4.4],
    ],
  });

  slide(pen, 'Traction', 'Recurring revenue in million dollars, by quarter.');
  drawLine(pen, {
    x: 110,
    y: 160,
    width: 760,
    height: 270,
    unit: ' m',
    points: [
      ['Q1 25', 0.9],
      ['Q2 25', 1.3],
      ['Q3 25', 1.8],
      ['Q4 25', 2.6],
      ['Q1 26', 3.4],
      ['Q2 26', 4.7],
      ['Q3 26', 6.2],
    ],
  });

  slide(pen, 'Unit economics', 'A harbour pays back what it cost us to win within nine months.');
  drawTable(pen, {
    x: 56,
    y: 160,
    widths: [368, 160, 160, 160],
    size: 19,
    head: ['For each harbour', '2024', '2025', '2026'],
    rows: [
      ['Yearly contract', '$84,000', '$112,000', '$138,000'],
      ['Gross margin', '61 %', '70 %', '76 %'],
      ['Cost to win', '$95,000', '$88,000', '$79,000'],
      ['Yearly churn', '9 %', '5 %', '3 %'],
      ['*Payback', '22 months', '13 months', '9 months'],
    ],
  });

  slide(pen, 'Customers', '45 harbours on four continents; none of the first ten has left.');
  cards(
    pen,
    [
      ['Lumen Robotics Terminal', '31 docks, 4.2 hours less waiting per call'],
      ['Atlas Freight', '210 ships follow our slots'],
      ['Verde Energy', 'Bulk berth planned three days ahead'],
      ['Kite Health', 'Cold chain without a missed crane'],
      ['Harbor & Pine', 'Timber yard, 18 % more calls a week'],
      ['Port of Selmark', 'First harbour without a queue at anchor'],
    ],
    3,
  );

  slide(pen, 'Why we win', 'Others plan for one party. A plan that is not shared is a wish.');
  drawTable(pen, {
    x: 56,
    y: 160,
    widths: [368, 160, 160, 160],
    size: 19,
    head: ['', WORKSPACE_OWNER.name, 'Terminal suites', 'Spreadsheets'],
    rows: [
      ['Shared by all parties', 'yes', 'no', 'no'],
      ['Forecast of arrivals', '22 min', '3 h', 'none'],
      ['Live in', '2 weeks', '14 months', '1 day'],
      ['Measures waiting for invoices', 'yes', 'partly', 'no'],
      ['*Price for a mid-size harbour', '$138,000', '$900,000', '$0'],
    ],
  });

  slide(pen, 'Team', 'Harbour pilots, forecasters and engineers.');
  cards(
    pen,
    [
      ['Mira Solheim, chief executive', 'Twelve years a harbour master'],
      ['Tobias Renner, technology', 'Built tide models for three coasts'],
      ['Adaeze Obi, product', 'Planned berths by hand, and knows why not to'],
      ['Lucas Prado, sales', 'Opened 19 ports in Latin America'],
      ['Hana Mori, finance', 'Took two companies public'],
      ['58 more people', 'In Bergen, Hamburg and Santos'],
    ],
    3,
  );

  slide(pen, 'Roadmap', 'From the berth to the whole way inland.');
  steps(pen, [
    ['2026', 'Trucks and gates join the plan in ten harbours'],
    ['2027', 'Rail slots; forecast of emissions for each call'],
    ['2028', 'Inland terminals along the Rhine and the Paraná'],
    ['2029', 'One plan from factory to shelf for our carriers'],
  ]);

  slide(pen, 'What we ask', '$28 million for 24 months, to reach 160 harbours.');
  const parts = [
    ['Product', 45, ACCENT],
    ['Sales', 30, INK],
    ['Operations', 15, WARM],
    ['Reserve', 10, GREY],
  ] as const;
  let x = 56;
  for (const [name, share, colour] of parts) {
    const width = (848 * share) / 100;
    pen.fill({ x, y: 190, width, height: 90, colour });
    pen.write({
      text: `${share} %`,
      x: x + width / 2,
      y: 224,
      size: 20,
      bold: true,
      colour: '#ffffff',
      align: 'middle',
    });
    pen.write({ text: name, x: x + width / 2, y: 292, size: 14, align: 'middle' });
    x += width;
  }
  pen.write({ text: `Mira Solheim, mira@${WORKSPACE_OWNER.domain}`, x: 56, y: 400, size: 18, bold: true });
}
