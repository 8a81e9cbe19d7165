import { splitWords } from '../../src/split-words.ts';

/** Words for the demo data. Nobody can own a domain ending in `.example`. */
export const FIRST_NAMES = splitWords(`
  Amara Bruno Chiara Daniel Elif Femi Grace Hugo Ines Jonas Keiko Lukas
  Maya Nadia Oscar Priya Rafael Sofia Tomas Yara
`);

export const LAST_NAMES = splitWords(`
  Adler Bianchi Costa Dubois Eriksen Fischer Gupta Hansen Ito Jensen Kowalski Larsen
  Moreau Novak Okafor Petrov Rossi Silva Tanaka Weber
`);

export const COMPANIES = [
  { name: 'Northwind Capital', domain: 'northwind-capital.example' },
  { name: 'Harbor & Pine', domain: 'harborpine.example' },
  { name: 'Lumen Robotics', domain: 'lumen-robotics.example' },
  { name: 'Atlas Freight', domain: 'atlasfreight.example' },
  { name: 'Verde Energy', domain: 'verde-energy.example' },
  { name: 'Kite Health', domain: 'kitehealth.example' },
];

export const TAGS = ['investor', 'customer', 'prospect', 'legal', 'partner', 'vip'];

export const PROPOSAL_ITEMS = [
  { description: 'Platform licence, 50 seats', quantity: 50, unit_price: 29 },
  { description: 'Onboarding workshop', quantity: 2, unit_price: 1800 },
  { description: 'Priority support, 12 months', quantity: 12, unit_price: 450 },
  { description: 'Data migration', quantity: 1, unit_price: 3200 },
];
