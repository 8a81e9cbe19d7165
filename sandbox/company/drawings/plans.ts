import { PROPOSAL_ITEMS } from '../words.ts';
import { drawTable } from './charts.ts';
import { ACCENT, GREY, INK, LIGHT, type Pen, WARM } from './pen.ts';

const SCALE = 15;

/** Name, place and size in metres. */
const ROOMS = [
  ['Control room', 0, 0, 14, 10],
  ['Pilots', 14, 0, 8, 10],
  ['Server room', 22, 0, 6, 6],
  ['Stairs', 22, 6, 6, 4],
  ['Open office', 0, 14, 20, 12],
  ['Kitchen', 20, 14, 8, 5],
  ['Meeting', 20, 19, 8, 7],
  ['Terrace', 28, 0, 8, 26],
] as const;

/** One large landscape sheet: the second floor of the harbour office, to scale. */
export function drawFloorPlan(pen: Pen): void {
  pen.turn({ width: 842, height: 595 });
  pen.write({ text: 'Harbour office, second floor', x: 40, y: 36, size: 22, bold: true });
  pen.write({
    text: 'Scale 1:190 on A4. Measures in metres, between walls.',
    x: 40,
    y: 66,
    size: 11,
    colour: GREY,
  });
  const [left, top] = [80, 130];
  for (const [name, x, y, width, height] of ROOMS) {
    const outside = name === 'Terrace';
    const place = { x: left + x * SCALE, y: top + y * SCALE, width: width * SCALE, height: height * SCALE };
    pen.fill({
      ...place,
      colour: outside ? '#eef3e2' : name === 'Server room' ? '#fbe9d0' : LIGHT,
      line: INK,
    });
    const [middleX, middleY] = [place.x + place.width / 2, place.y + place.height / 2];
    pen.write({ text: name, x: middleX, y: middleY - 12, size: 12, bold: true, align: 'middle' });
    pen.write({
      text: `${width} x ${height} m, ${width * height} m²`,
      x: middleX,
      y: middleY + 4,
      size: 9,
      colour: GREY,
      align: 'middle',
    });
  }
  pen.write({
    text: 'Corridor, 28 x 4 m',
    x: left + 210,
    y: top + 173,
    size: 11,
    colour: GREY,
    align: 'middle',
  });
  for (const [x, y] of [
    [6, 10],
    [17, 10],
    [24, 10],
    [9, 14],
    [23, 14],
  ] as const) {
    const [doorX, doorY] = [left + x * SCALE, top + y * SCALE];
    pen.draw({ from: [doorX, doorY], to: [doorX + 15, doorY], colour: '#ffffff', width: 4 });
    pen.draw({ from: [doorX, doorY], to: [doorX + 11, doorY + 11], colour: ACCENT, width: 2 });
  }
  pen.draw({ from: [left, top - 18], to: [left + 36 * SCALE, top - 18], colour: INK });
  pen.write({ text: '36.0', x: left + 18 * SCALE, y: top - 32, size: 10, align: 'middle' });
  pen.draw({ from: [left - 18, top], to: [left - 18, top + 26 * SCALE], colour: INK });
  pen.write({ text: '26.0', x: left - 44, y: top + 13 * SCALE, size: 10 });
  const area = ROOMS.reduce((sum, [, , , width, height]) => sum + width * height, 112);
  const legend = 660;
  pen.write({ text: 'Legend', x: legend, y: 130, size: 13, bold: true });
  for (const [index, [colour, name]] of [
    [LIGHT, 'Work and meeting'],
    ['#fbe9d0', 'Locked, cooled'],
    ['#eef3e2', 'Outside'],
    [ACCENT, 'Door'],
  ].entries()) {
    pen.fill({ x: legend, y: 156 + index * 24, width: 16, height: 16, colour: colour ?? LIGHT, line: INK });
    pen.write({ text: name ?? '', x: legend + 26, y: 159 + index * 24, size: 11 });
  }
  pen.write({ text: `All together ${area} m²`, x: legend, y: 270, size: 11, bold: true });
  pen.write({
    text: 'Two ways out: stairs in the east, terrace to the quay.',
    x: legend,
    y: 296,
    size: 11,
    width: 150,
  });
  pen.draw({ from: [legend + 20, 430], to: [legend + 20, 380], colour: INK, width: 2 });
  pen.fill({ x: legend + 14, y: 376, width: 12, height: 8, colour: WARM });
  pen.write({ text: 'N', x: legend + 20, y: 356, size: 13, bold: true, align: 'middle' });
}

/** One page of prices. */
export function drawPricing(pen: Pen): void {
  pen.turn();
  pen.write({ text: 'Prices 2026', x: 56, y: 60, size: 28, bold: true });
  pen.write({
    text: 'In US dollars, without taxes. Good until the end of the year.',
    x: 56,
    y: 100,
    size: 12,
    colour: GREY,
  });
  const rows = PROPOSAL_ITEMS.map(({ description, quantity, unit_price }) => [
    description,
    String(quantity),
    unit_price.toFixed(2),
    (quantity * unit_price).toFixed(2),
  ]);
  const all = PROPOSAL_ITEMS.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0);
  const below = drawTable(pen, {
    ...{ x: 56, y: 140, size: 12, widths: [233, 70, 90, 90] },
    head: ['What', 'Quantity', 'Each', 'Together'],
    rows: [...rows, ['*A first year', '', '', all.toFixed(2)]],
  });
  pen.write({
    text: 'More than ten harbours: ask us. Schools and rescue services use the platform free of charge.',
    x: 56,
    y: below + 30,
    width: 483,
  });
}
