/** A name in words: `keepCalibration` becomes `Keep calibration`. */
export function inWords(name: string): string {
  const words = name
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How far a body travels beside its source, in words; small factors, of files in another unit, keep their figures. */
export function scalesInWords({ horizontal, vertical }: { horizontal: number; vertical: number }): string {
  const times = (factor: number) => `× ${factor < 0.1 ? String(+factor.toPrecision(2)) : factor.toFixed(2)}`;
  return `${times(horizontal)} across, ${times(vertical)} up`;
}
