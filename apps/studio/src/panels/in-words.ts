/** A name in words: `keepCalibration` becomes `Keep calibration`. */
export function inWords(name: string): string {
  const words = name
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
