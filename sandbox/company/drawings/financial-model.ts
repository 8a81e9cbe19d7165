import { WORKSPACE_OWNER } from '../sender.ts';
import { drawLine, drawTable } from './charts.ts';
import { GREY, LANDSCAPE, type Pen, WARM } from './pen.ts';

const YEARS = [2026, 2027, 2028, 2029, 2030] as const;

/** One year of the model, in thousand dollars; every other number follows from the assumptions. */
function modelOf(growth: number) {
  let harbours = 45;
  let cash = 9_400;
  return YEARS.map((year, index) => {
    if (index > 0) harbours = Math.round(harbours * growth);
    const price = 138 * 1.04 ** index;
    const revenue = Math.round(harbours * price);
    const service = Math.round(revenue * (0.24 - 0.01 * index));
    const staff = Math.round(64 * 1.28 ** index);
    const persons = Math.round(staff * 92 * 1.03 ** index);
    const other = Math.round(revenue * 0.12 + 900);
    const result = revenue - service - persons - other;
    const spent = Math.round(400 + revenue * 0.03);
    const raised = index === 0 ? 28_000 : 0;
    cash += result - spent + raised;
    return { year, harbours, price, revenue, service, staff, persons, other, result, spent, raised, cash };
  });
}

type Year = ReturnType<typeof modelOf>[number];

const money = (value: number) => {
  const text = Math.abs(Math.round(value)).toLocaleString('en-US');
  return value < 0 ? `(${text})` : text;
};

function sheet(pen: Pen, title: string, note: string): void {
  pen.turn(LANDSCAPE);
  pen.fill({ x: 56, y: 40, width: 48, height: 5, colour: WARM });
  pen.write({ text: title, x: 56, y: 52, size: 24, bold: true });
  pen.write({ text: note, x: 56, y: 84, size: 12, colour: GREY, width: 840 });
}

function table(
  pen: Pen,
  years: readonly Year[],
  rows: readonly (readonly [string, (year: Year) => string])[],
): void {
  drawTable(pen, {
    ...{ x: 56, y: 120, size: 14, widths: [298, 110, 110, 110, 110, 110] },
    head: ['Thousand dollars', ...years.map(({ year }) => String(year))],
    rows: rows.map(([name, read]) => [name, ...years.map(read)]),
  });
}

/** Six sheets of tables: assumptions, result, people, cash, scenarios, and a picture of them. */
export function drawFinancialModel(pen: Pen): void {
  const years = modelOf(1.72);
  sheet(
    pen,
    'Assumptions',
    `${WORKSPACE_OWNER.name}, base case. Prices rise by 4 % a year, pay by 3 %, and harbours by 72 %.`,
  );
  table(pen, years, [
    ['Harbours at the end of the year', ({ harbours }) => String(harbours)],
    ['Price for a harbour', ({ price }) => money(price)],
    ['People', ({ staff }) => String(staff)],
    [
      'Cost of service, share of revenue',
      ({ service, revenue }) => `${Math.round((100 * service) / revenue)} %`,
    ],
    ['Investment', ({ spent }) => money(spent)],
    ['*Money raised', ({ raised }) => money(raised)],
  ]);
  sheet(pen, 'Result', 'Brackets are losses.');
  table(pen, years, [
    ['Revenue', ({ revenue }) => money(revenue)],
    ['Cost of service', ({ service }) => money(-service)],
    ['*Gross profit', ({ revenue, service }) => money(revenue - service)],
    ['People', ({ persons }) => money(-persons)],
    ['Other cost', ({ other }) => money(-other)],
    ['*Result', ({ result }) => money(result)],
    ['Share of revenue', ({ result, revenue }) => `${Math.round((100 * result) / revenue)} %`],
  ]);
  sheet(pen, 'People', 'Full-time posts at the end of the year.');
  const share = (part: number) => (year: Year) => String(Math.round(year.staff * part));
  table(pen, years, [
    ['Engineering', share(0.42)],
    ['Forecasting', share(0.16)],
    ['Harbour success', share(0.2)],
    ['Sales', share(0.14)],
    ['Administration', share(0.08)],
    ['*All', ({ staff }) => String(staff)],
    ['Revenue for each post', ({ revenue, staff }) => money(revenue / staff)],
  ]);
  sheet(pen, 'Cash', 'The round closes in 2026.');
  table(pen, years, [
    ['At the beginning', ({ cash, result, spent, raised }) => money(cash - result + spent - raised)],
    ['Result', ({ result }) => money(result)],
    ['Investment', ({ spent }) => money(-spent)],
    ['Money raised', ({ raised }) => money(raised)],
    ['*At the end', ({ cash }) => money(cash)],
  ]);
  sheet(pen, 'Scenarios', 'Revenue, if harbours grow slower or faster than the base case.');
  const cases = [
    ['Slow, 45 % a year', 1.45],
    ['Base, 72 % a year', 1.72],
    ['Fast, 95 % a year', 1.95],
  ] as const;
  drawTable(pen, {
    ...{ x: 56, y: 120, size: 14, widths: [298, 110, 110, 110, 110, 110] },
    head: ['Thousand dollars', ...YEARS.map(String)],
    rows: cases.map(([name, growth]) => [name, ...modelOf(growth).map(({ revenue }) => money(revenue))]),
  });
  sheet(pen, 'Revenue in the base case', 'Million dollars.');
  const points = years.map(({ year, revenue }) => [String(year), Math.round(revenue / 100) / 10] as const);
  drawLine(pen, { x: 120, y: 130, width: 760, height: 310, unit: ' m', points });
}
