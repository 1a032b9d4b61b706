export type Unit = { file: string; names: string[]; isFunction: boolean; start: number; text: string };
export type Entry = { units: Unit[] };
export type Told = Record<string, Record<string, string>>;
export function tellCold(
  text: string,
  entry: Entry,
  nameOf: (unit: Unit) => string,
  runs: { part: string; wasRun: (start: number, end: number) => boolean }[],
): Told;
export function cutCold(
  text: string,
  entry: Entry,
  nameOf: (unit: Unit) => string,
  told: Told,
): { text: string; parts: Map<string, string> };
