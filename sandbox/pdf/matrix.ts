/** The six numbers of a plane's mapping, in the order in which PDF and SVG write them. */
export type Matrix = readonly [number, number, number, number, number, number];

/** First `a`, then `b`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[1] * b[2],
    a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2],
    a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4],
    a[4] * b[1] + a[5] * b[3] + b[5],
  ];
}

/** Numbers as SVG takes them, short. */
export function write(...numbers: readonly number[]): string {
  return numbers.map((number) => (Number.isFinite(number) ? Math.round(number * 1000) / 1000 : 0)).join(' ');
}
