import { printable } from '@stuntdouble/core/engine';

/** Text made fit for XML and HTML: markup escaped, and nothing in it that cannot be seen, some of which XML forbids. */
export function escapeXml(text: string): string {
  return printable(text)
    .replace(/[\u{FFFE}\u{FFFF}]/gu, '·')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}
