/** Whose workspace this is. The name and the colours stand on its pages and in its documents. */
export const WORKSPACE_OWNER = {
  name: 'Tidewell',
  slogan: 'Quiet docks, full ships',
  domain: 'tidewell.example',
  /** `#rrggbb`; the accent is readable under white text. */
  colors: { ink: '#0b2b3a', accent: '#0b6e75', light: '#e3f1f1', warm: '#f2a541' },
} as const;
