import type { Icon } from '@modelcontextprotocol/server';

/** A sheet of paper with an outgoing arrow, 48 by 48 pixels. */
const PNG = [
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAgMAAAAqbBEUAAAADFBMVEUAAAAfb+vP4P//sC7eGAAZAAAAAXRSTlMAQObYZgAA',
  'AGlJREFUeNpjYCALhAJBAzJnATJnBTJnFQqnAZmzAJmzApmzCoXTgMxZgOCEhgZQi5O1atWqqVg5VDLNAFmZDTLHHoVzAJnz',
  'AWrAVBDnD4zzHwRgysCcAzg5yKb9wTQam6U4HWqA6VOSAQAdHX4RG0UOmgAAAABJRU5ErkJggg==',
].join('');

/** Server icon as a data URL, so that hosts need not load it. */
export const icons: Icon[] = [{ src: `data:image/png;base64,${PNG}`, mimeType: 'image/png', sizes: ['48x48'] }];
