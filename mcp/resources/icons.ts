import type { Icon } from '@modelcontextprotocol/server';

/** A sheet and an arrow out of it, 48 by 48, four colours. In the answer itself: no host has to load anything. */
const PNG = [
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAgMAAAAqbBEUAAAADFBMVEUAAAAfb+vP4P//sC7eGAAZAAAAAXRSTlMAQObYZgAA',
  'AGlJREFUeNpjYCALhAJBAzJnATJnBTJnFQqnAZmzAJmzApmzCoXTgMxZgOCEhgZQi5O1atWqqVg5VDLNAFmZDTLHHoVzAJnz',
  'AWrAVBDnD4zzHwRgysCcAzg5yKb9wTQam6U4HWqA6VOSAQAdHX4RG0UOmgAAAABJRU5ErkJggg==',
].join('');

/** What a host shows beside the server's name; every host that shows icons reads PNG. */
export const icons: Icon[] = [
  { src: `data:image/png;base64,${PNG}`, mimeType: 'image/png', sizes: ['48x48'] },
];
