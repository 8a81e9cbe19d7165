import { ACCENT, GREY, INK, LIGHT, type Pen, WARM } from './pen.ts';

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Upright bars with their values above and their names below. */
export function drawBars(
  pen: Pen,
  input: Frame & { bars: readonly (readonly [string, number])[]; unit: string },
): void {
  const { x, y, width, height, bars, unit } = input;
  const most = Math.max(...bars.map(([, value]) => value));
  const step = width / bars.length;
  pen.draw({ from: [x, y + height], to: [x + width, y + height] });
  for (const [index, [name, value]] of bars.entries()) {
    const tall = (value / most) * (height - 24);
    const left = x + index * step + step * 0.18;
    const colour = index === bars.length - 1 ? WARM : ACCENT;
    pen.fill({ x: left, y: y + height - tall, width: step * 0.64, height: tall, colour });
    const middle = left + step * 0.32;
    pen.write({
      text: `${value}${unit}`,
      x: middle,
      y: y + height - tall - 18,
      size: 13,
      bold: true,
      align: 'middle',
    });
    pen.write({ text: name, x: middle, y: y + height + 8, size: 12, colour: GREY, align: 'middle' });
  }
}

/** A line through values, with a light ground of five rules. */
export function drawLine(
  pen: Pen,
  input: Frame & { points: readonly (readonly [string, number])[]; unit: string },
): void {
  const { x, y, width, height, points, unit } = input;
  const most = Math.max(...points.map(([, value]) => value)) * 1.1;
  for (let rule = 0; rule <= 4; rule++) {
    const at = y + (height * rule) / 4;
    pen.draw({ from: [x, at], to: [x + width, at], colour: '#d8dee7' });
    const value = Math.round(most * (1 - rule / 4) * 10) / 10;
    pen.write({ text: `${value}${unit}`, x: x - 8, y: at - 5, size: 10, colour: GREY, align: 'right' });
  }
  const places = points.map(
    ([, value], index) =>
      [x + (width * index) / (points.length - 1), y + height * (1 - value / most)] as const,
  );
  for (const [index, to] of places.entries()) {
    const from = places[index - 1];
    if (from) pen.draw({ from, to, colour: ACCENT, width: 3 });
  }
  for (const [index, [left, top]] of places.entries()) {
    pen.dot({ x: left, y: top, radius: 4, colour: index === places.length - 1 ? WARM : ACCENT });
    pen.write({
      text: points[index]?.[0] ?? '',
      x: left,
      y: y + height + 8,
      size: 11,
      colour: GREY,
      align: 'middle',
    });
  }
}

/** A table whose first column is words and whose others are numbers; a row that begins with `*` is a total. */
export function drawTable(
  pen: Pen,
  input: {
    x: number;
    y: number;
    widths: readonly number[];
    head: readonly string[];
    rows: readonly (readonly string[])[];
    size?: number;
  },
): number {
  const { x, widths, head, rows, size = 11 } = input;
  const total = widths.reduce((sum, width) => sum + width, 0);
  const tall = size * 1.9;
  let { y } = input;
  const row = (cells: readonly string[], look: { bold: boolean; ground: string | null; colour: string }) => {
    if (look.ground) pen.fill({ x, y, width: total, height: tall, colour: look.ground });
    let left = x;
    for (const [index, cell] of cells.entries()) {
      const width = widths[index] ?? 60;
      const place = index === 0 ? { x: left + 8 } : { x: left + width - 8, align: 'right' as const };
      pen.write({ text: cell, y: y + size * 0.45, size, bold: look.bold, colour: look.colour, ...place });
      left += width;
    }
    y += tall;
  };
  row(head, { bold: true, ground: INK, colour: '#ffffff' });
  for (const [index, cells] of rows.entries()) {
    const isTotal = cells[0]?.startsWith('*') ?? false;
    const shown = isTotal ? [cells[0]?.slice(1) ?? '', ...cells.slice(1)] : cells;
    row(shown, { bold: isTotal, ground: isTotal ? LIGHT : index % 2 ? '#f6f8f9' : null, colour: INK });
    if (isTotal) pen.draw({ from: [x, y - tall], to: [x + total, y - tall], colour: ACCENT, width: 1.5 });
  }
  return y;
}
