/** What is used of pdf-lib: a bundle leaves out the rest, so whoever wants more of it says so here. Imported late, as it is large. */
import { StandardFonts } from 'pdf-lib';

export { PDFDocument, rgb } from 'pdf-lib';

/** The fonts that are written in, by pdf-lib's names of them. */
export const FONTS = {
  plain: StandardFonts.Helvetica,
  bold: StandardFonts.HelveticaBold,
  script: StandardFonts.TimesRomanItalic,
} as const;
