import type { DrawingName } from '../state/records.ts';
import { A4, LANDSCAPE } from './drawings/pen.ts';

interface SeedDocument {
  readonly name: string;
  readonly drawing: DrawingName;
  /** Of the drawing, which is made only when someone reads it; a test draws all of them and compares. */
  readonly bytes: number;
  readonly pages: number;
  readonly size: { readonly width: number; readonly height: number };
}

export const DOCUMENTS: readonly SeedDocument[] = [
  { name: 'Series B pitch deck', drawing: 'pitch-deck', bytes: 14_471, pages: 12, size: LANDSCAPE },
  { name: 'Financial model 2026-2030', drawing: 'financial-model', bytes: 10_443, pages: 6, size: LANDSCAPE },
  { name: 'Product overview', drawing: 'product-overview', bytes: 3_779, pages: 2, size: A4 },
  {
    name: 'Harbour office floor plan',
    drawing: 'floor-plan',
    bytes: 2_643,
    pages: 1,
    size: { width: 842, height: 595 },
  },
  { name: 'Security whitepaper', drawing: 'security-whitepaper', bytes: 6_628, pages: 3, size: A4 },
  { name: 'Mutual NDA', drawing: 'mutual-nda', bytes: 4_465, pages: 2, size: A4 },
  { name: 'Master services agreement', drawing: 'services-agreement', bytes: 7_622, pages: 3, size: A4 },
  { name: 'Pricing sheet', drawing: 'pricing', bytes: 2_195, pages: 1, size: A4 },
];
