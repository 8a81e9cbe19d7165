/** The owner of the workspace, shown on pages and in documents. */
export const WORKSPACE_OWNER = {
  name: 'Tidewell',
  slogan: 'Quiet docks, full ships',
  domain: 'tidewell.example',
  /** `#rrggbb`; white text on the accent is readable. */
  colors: { ink: '#0b2b3a', accent: '#0b6e75', light: '#e3f1f1', warm: '#f2a541' },
} as const;
