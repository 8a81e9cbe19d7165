/** Draws the diagrams of the example Zaps in `docs/zapier.md` as SVG. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../scripts/read-options.ts';

readOptions({});

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const ZAPS: Readonly<Record<string, readonly (readonly [app: string, step: string])[]>> = {
  'zap-hot-lead': [
    ['Docshare', 'Link Viewed'],
    ['Docshare', 'Find Link Analytics'],
    ['Slack', 'Send Message'],
  ],
  'zap-file-signed': [
    ['Docshare', 'Agreement Signed'],
    ['Google Drive', 'Upload File'],
    ['Gmail', 'Send Email'],
  ],
  'zap-share-deck': [
    ['Dropbox', 'New File'],
    ['Docshare', 'Share Document'],
    ['Gmail', 'Send Email'],
  ],
  'zap-deal-room': [
    ['HubSpot', 'Deal Stage Changed'],
    ['Docshare', 'Find or Create Room'],
    ['Docshare', 'Add Document to Room'],
  ],
  'zap-nda': [
    ['Typeform', 'New Entry'],
    ['Docshare', 'Send for Signature'],
  ],
};

function draw(steps: readonly (readonly [string, string])[]): string {
  const boxes = steps.map(([app, step], index) => {
    const x = 10 + index * 300;
    const isDocshare = app === 'Docshare';
    const arrow =
      index === 0 ? '' : `<path d="M${x - 38} 55h26m-8-7l8 7-8 7" fill="none" stroke="#6b7280" stroke-width="2.5"/>`;
    return `${arrow}<rect x="${x}" y="15" width="250" height="80" rx="12" fill="${isDocshare ? '#eaf0ff' : '#f6f7f9'}" stroke="${isDocshare ? '#1f4fd8' : '#c4c9d2'}" stroke-width="2"/>
<text x="${x + 16}" y="46" font-size="13" fill="${isDocshare ? '#1f4fd8' : '#6b7280'}">${index + 1}. ${app}</text>
<text x="${x + 16}" y="73" font-size="17" font-weight="600" fill="#111827">${step}</text>`;
  });
  const width = steps.length * 300 - 30;
  const description = steps.map(([app, step]) => `${app}: ${step}`).join(', then ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 110" width="${width}" height="110" role="img" font-family="system-ui, sans-serif">
<title>${description}</title>
<rect width="${width}" height="110" rx="14" fill="#ffffff"/>
${boxes.join('\n')}
</svg>
`;
}

mkdirSync(FOLDER, { recursive: true });
for (const [name, steps] of Object.entries(ZAPS)) writeFileSync(`${FOLDER}${name}.svg`, draw(steps));
