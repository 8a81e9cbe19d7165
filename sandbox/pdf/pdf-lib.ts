/** The parts of pdf-lib in use, so that bundles omit the rest. Import it lazily: it is large. */
import { StandardFonts } from 'pdf-lib';

export { PDFDict, PDFDocument, PDFHexString, PDFName, rgb } from 'pdf-lib';

export const FONTS = {
  plain: StandardFonts.Helvetica,
  bold: StandardFonts.HelveticaBold,
  script: StandardFonts.TimesRomanItalic,
} as const;
