import type { ExampleName } from '../state/records.ts';

const LANDSCAPE = { width: 960, height: 540 };
const A4 = { width: 595, height: 842 };

interface SeedDocument {
  readonly name: string;
  readonly example: ExampleName;
  /** Stored here so that a start doesn't read the file; a test compares them. */
  readonly bytes: number;
  readonly pages: number;
  readonly size: { readonly width: number; readonly height: number };
}

export const DOCUMENTS: readonly SeedDocument[] = [
  { name: 'Series B pitch deck', example: 'pitch-deck', bytes: 14_471, pages: 12, size: LANDSCAPE },
  { name: 'Financial model 2026-2030', example: 'financial-model', bytes: 10_443, pages: 6, size: LANDSCAPE },
  { name: 'Product overview', example: 'product-overview', bytes: 3_779, pages: 2, size: A4 },
  {
    name: 'Harbour office floor plan',
    example: 'floor-plan',
    bytes: 2_643,
    pages: 1,
    size: { width: 842, height: 595 },
  },
  { name: 'Security whitepaper', example: 'security-whitepaper', bytes: 6_628, pages: 3, size: A4 },
  { name: 'Mutual NDA', example: 'mutual-nda', bytes: 4_465, pages: 2, size: A4 },
  { name: 'Master services agreement', example: 'services-agreement', bytes: 7_622, pages: 3, size: A4 },
  { name: 'Pricing sheet', example: 'pricing', bytes: 2_195, pages: 1, size: A4 },
];
