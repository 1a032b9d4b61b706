import { expect, test } from 'vitest';
import { readUnits } from './bundle-live.mjs';
import { cutCold, tellCold, type Unit } from './cut-cold.mjs';

const PACKED = `// a.ts
function walk(step) {
  if (step > 9) {
    throw new Error("too far");
  }
  const way = step > 0 ? step : neverSeen(step);
  return way;
}
function neverSeen(step) {
  return -step;
}
var names = { called: () => "called by name", other: () => "never called" };
export { names, walk };
`;
const nameOf = ({ names }: Unit) => names[0]!;
/** What was run, by the words that were not. */
const runBut =
  (text: string, ...cold: string[]) =>
  (start: number, end: number) => {
    const rest = cold.reduce((left, words) => left.replace(words, ' '.repeat(words.length)), text);
    return rest.slice(start, end).trim() !== '';
  };
const COLD = [
  '{\n    throw new Error("too far");\n  }',
  'neverSeen(step)',
  'neverSeen(step) {\n  return -step;\n}',
  '"never called"',
];

test('what was never run is cut out, and nothing else', () => {
  const entry = readUnits(PACKED);
  const wasRun = runBut(PACKED, COLD[0]!, `: ${COLD[1]}`, COLD[2]!, COLD[3]!);
  const told = tellCold(PACKED, entry, nameOf, [{ part: 'first', wasRun }]);
  const { text, parts } = cutCold(PACKED, entry, nameOf, told);
  expect(text).toContain('if (step > 9) notBrought();');
  expect(text).toContain('step > 0 ? step : notBrought();');
  expect(text).toContain('function neverSeen(step) { notBrought(); }');
  expect(text).toContain('called: () => "called by name", other: () => notBrought()');
  expect([...parts]).toEqual([['walk', 'first']]);
});

test('a function that is new or has changed since is left whole, whatever numbers its names have', () => {
  const entry = readUnits(PACKED);
  const told = tellCold(PACKED, entry, nameOf, [
    { part: 'first', wasRun: runBut(PACKED, COLD[0]!, COLD[2]!) },
  ]);
  const changed = PACKED.replace('step > 9', 'step > 99');
  expect(cutCold(changed, readUnits(changed), nameOf, told).text).toContain('throw new Error("too far")');
  const grown = `${PACKED}function added() {\n  return "since then";\n}\n`;
  expect(cutCold(grown, readUnits(grown), nameOf, told).text).toContain('since then');
  const renamed = PACKED.replaceAll('way', 'way2');
  expect(cutCold(renamed, readUnits(renamed), nameOf, told).text).not.toContain('too far');
});
